import { open, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { KubeObject } from "@gatewright/kube";
import { systemClock } from "@gatewright/ports";
import { createMemoryStore, openDiskStore } from "../packages/apiserver/src/store/index.ts";
import type { Store, Table } from "../packages/apiserver/src/store/index.ts";

/*
 * What the store costs. TMPDIR decides which disk is measured. Figures of one machine say little: look at the ratios.
 */
const OBJECTS = 100_000;
const padding = "x".repeat(1300);

/** A custom resource of about 1.8 KB with what such objects have: labels, managed fields, spec and status. */
function customResource(name: string, revision: number): KubeObject {
  return {
    apiVersion: "gatewright.dev/v1",
    kind: "Hostname",
    metadata: {
      name,
      namespace: "tenant",
      uid: "6f1f7e0c-6b1e-4a56-9d4b-0a2f3c1d5e7f",
      resourceVersion: String(revision),
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { app: name, tier: "web" },
      managedFields: [
        {
          manager: "kubectl",
          operation: "Apply",
          apiVersion: "gatewright.dev/v1",
          fieldsV1: { "f:spec": { "f:host": {} } },
        },
      ],
    },
    spec: { host: `${name}.example.com`, padding },
    status: { conditions: [{ type: "Ready", status: "True", reason: "Serving", message: "all is well" }] },
  };
}

function put(table: Table, name: string): Promise<unknown> {
  const key = `tenant/${name}`;
  return table.write({ key, expected: table.head(key), object: (revision) => customResource(name, revision) });
}

async function fill(table: Table, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1000) {
    await Promise.all(Array.from({ length: Math.min(1000, to - n) }, (_, i) => put(table, `object-${n + i}`)));
  }
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function residentBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage.rss();
}

/** Runs writers, each waiting for its write, and gives writes per second. */
async function writesPerSecond(writers: number, each: number, write: (n: number) => Promise<unknown>): Promise<number> {
  const start = systemClock.monotonic();
  const run = async (writer: number): Promise<void> => {
    for (let i = 0; i < each; i++) await write(writer * each + i);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
  return (writers * each * 1000) / (systemClock.monotonic() - start);
}

async function plainWritesPerSecond(directory: string): Promise<number> {
  const file = await open(`${directory}/plain`, "w");
  const bytes = Buffer.alloc(1800, "x");
  const rate = await writesPerSecond(1, 1000, async (n) => {
    await file.write(bytes, 0, bytes.length, n * bytes.length);
    await file.datasync();
  });
  await file.close();
  return rate;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const start = systemClock.monotonic();
  const result = await work();
  return { ms: systemClock.monotonic() - start, result };
}

function print(name: string, figure: string): void {
  console.log(`${name.padEnd(58)} ${figure}`);
}

async function durableWrites(directory: string): Promise<void> {
  const plain = await plainWritesPerSecond(directory);
  print("write + fdatasync, one after the other", `${plain.toFixed(0)}/s`);
  for (const writers of [1, 200]) {
    const store = await openDiskStore({ directory: `${directory}/writes-${writers}`, clock: systemClock });
    const table = store.table("hostnames");
    await writesPerSecond(writers, 20, (n) => put(table, `warm-${n}`));
    const rate = await writesPerSecond(writers, writers === 1 ? 1000 : 250, (n) => put(table, `object-${n % 5000}`));
    print(`durable writes, ${writers} writers`, `${rate.toFixed(0)}/s = ${(rate / plain).toFixed(1)} x plain`);
    await store.close();
  }
}

async function memoryAndCost(): Promise<void> {
  const store = createMemoryStore({ clock: systemClock });
  const table = store.table("hostnames");
  await fill(table, 0, 100);
  const empty = residentBytes();
  let cost: number | undefined;
  for (const [from, to] of [
    [100, 1000],
    [1000, 10_000],
    [10_000, OBJECTS],
  ] as const) {
    await fill(table, from, to);
    const before = process.cpuUsage();
    await writesPerSecond(1, 50_000, (n) => put(table, `object-${(n * 7919) % to}`));
    const used = process.cpuUsage(before);
    const microseconds = (used.user + used.system) / 50_000;
    cost ??= microseconds;
    print(
      `processor time of a write to one of ${to} objects`,
      `${microseconds.toFixed(1)} us = ${(microseconds / cost).toFixed(2)} x the first`,
    );
  }
  let bytes = 0;
  for (const entry of table.snapshot().entries()) bytes += entry.bytes.length;
  const resident = residentBytes() - empty;
  print(
    `memory for ${OBJECTS} objects of ${Math.round(bytes / OBJECTS)} bytes`,
    `${(resident / 1e6).toFixed(0)} MB = ${(resident / bytes).toFixed(2)} x their JSON`,
  );
  const list = await timed(async () => [...table.snapshot().entries()].length);
  print(`walk over ${OBJECTS} objects`, `${list.ms.toFixed(0)} ms`);
  const counts = await timed(async () => {
    for (let n = 0; n < 1000; n++) table.snapshot().count({ prefix: "tenant/", start: `tenant/object-${n}` });
  });
  print("count of a range", `${counts.ms.toFixed(1)} us`);
}

async function startAndSnapshot(directory: string): Promise<void> {
  const at = `${directory}/large`;
  const store = await openDiskStore({ directory: at, clock: systemClock, compactFromBytes: Infinity });
  const filled = await timed(() => fill(store.table("hostnames"), 0, OBJECTS));
  print(`fill with ${OBJECTS} objects, durable`, `${filled.ms.toFixed(0)} ms`);
  await store.close();

  const replayed = await timed(() => openDiskStore({ directory: at, clock: systemClock, compactFromBytes: 1 }));
  print(`start with ${OBJECTS} objects in the log`, `${replayed.ms.toFixed(0)} ms`);
  const rate = await compactUnderLoad(replayed.result);
  print("durable writes, 200 writers, while a snapshot is written", `${rate.toFixed(0)}/s`);
  await replayed.result.close();

  const loaded = await timed(() => openDiskStore({ directory: at, clock: systemClock }));
  print(`start with ${OBJECTS} objects in a snapshot`, `${loaded.ms.toFixed(0)} ms`);
  await loaded.result.close();
}

/** The first write begins the snapshot of all objects. */
async function compactUnderLoad(store: Store): Promise<number> {
  const table = store.table("hostnames");
  await put(table, "object-0");
  return writesPerSecond(200, 100, (n) => put(table, `object-${n % 5000}`));
}

const directory = await mkdtemp(`${tmpdir()}/gatewright-bench-`);
try {
  await durableWrites(directory);
  await memoryAndCost();
  await startAndSnapshot(directory);
} finally {
  await rm(directory, { recursive: true });
}
