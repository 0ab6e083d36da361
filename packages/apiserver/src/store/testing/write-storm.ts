import { systemClock } from "@gatewright/ports";
import type { KubeObject } from "@gatewright/kube";
import { openDiskStore } from "../disk-store.ts";
import type { Entry, Table } from "../store.ts";

/*
 * The victim of kill.test.ts: writes until it is killed, and tells of each write after it was acknowledged.
 * Usage: write-storm.ts <directory> <round>
 */
const [directory = "", round = ""] = process.argv.slice(2);
const WRITERS = 20;

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function write(table: Table, key: string, value: number, deletes = false): Promise<Entry> {
  const object = (revision: number): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: key, resourceVersion: String(revision), labels: { round } },
    data: { value: String(value), padding: "x".repeat(value % 300) },
  });
  return table.write({ key, expected: table.head(key), object, deletes });
}

/** Counts up one key, and makes keys of its own of which it deletes every third again. */
async function storm(table: Table, writer: number): Promise<never> {
  const counter = `counter-${writer}`;
  const last = table.head(counter);
  let value = last === undefined ? 0 : Number((table.decode(last).data as { value: string }).value);
  for (let step = 0; ; step++) {
    const key = `round-${round}/${writer}-${step}`;
    tell(`count ${counter} ${(await write(table, counter, ++value)).revision} ${value}`);
    tell(`put ${key} ${(await write(table, key, step)).revision} ${step % 3 === 0}`);
    if (step % 3 !== 0) continue;
    tell(`delete ${key} ${(await write(table, key, step, true)).revision}`);
  }
}

tell("starting");
const store = await openDiskStore({ directory, clock: systemClock, compactFromBytes: 64 * 1024 });
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => storm(store.table("configmaps"), writer)));
