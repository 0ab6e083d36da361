import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock } from "@gatewright/ports";
import { build } from "esbuild";
import { openDiskStore } from "./disk-store.ts";
import type { Store, Table } from "./store.ts";
import { sampleObject, sampleValues } from "./testing/sample-store.ts";
import type { Sample } from "./testing/sample-store.ts";

/** Directories in which children die at the same time, and how many die in each: 200 together. */
const LANES = [1, 2, 3, 4];
const ROUNDS = 50;

/** What the victims of one directory were acknowledged. */
class Acknowledged {
  readonly #put = new Map<string, { readonly revision: number; readonly mayBeDeleted: boolean }>();
  readonly #deleted = new Set<string>();
  readonly #counters = new Map<string, number>();
  #batch = 0;
  count = 0;
  highest = 0;

  take(line: string): void {
    const [what = "", key = "", revision = "", more = ""] = line.split(" ");
    if (what === "starting") return;
    this.count++;
    this.highest = Math.max(this.highest, Number(revision));
    if (what === "count") this.#counters.set(key, Number(more));
    if (what === "batch") this.#batch = Number(more);
    if (what === "put") this.#put.set(key, { revision: Number(revision), mayBeDeleted: more === "true" });
    if (what === "delete") this.#deleted.add(key);
  }

  check(store: Store<Sample>): void {
    this.#checkBatch(store);
    const table = store.table("configmaps");
    for (const [key, { revision, mayBeDeleted }] of this.#put) {
      const found = table.get(key);
      if (this.#deleted.has(key)) assert.equal(found, undefined, `${key} was deleted`);
      else if (found !== undefined || !mayBeDeleted) assert.equal(found?.revision, revision, `${key} is lost`);
    }
    for (const [key, value] of this.#counters) {
      const found = table.get(key);
      assert.ok(found !== undefined, `${key} is lost`);
      assert.ok(Number(table.decode(found).data["value"]) >= value, `${key} fell back`);
    }
  }

  /** Fifty keys were always written together: all are there at the same count, or none. */
  #checkBatch(store: Store<Sample>): void {
    const counts = ["zones", "records"].flatMap((name) => {
      const table: Table<Sample> = store.table(name);
      return [...table.snapshot().entries()].map((entry) => Number(table.decode(entry).data["data"]));
    });
    assert.ok(counts.length === 50 || (counts.length === 0 && this.#batch === 0), `${counts.length} keys of a batch`);
    assert.ok(new Set(counts).size <= 1, `a batch is at ${[...new Set(counts)].join(" and ")}`);
    assert.ok((counts[0] ?? 0) >= this.#batch, `batch ${this.#batch} is lost`);
  }
}

/** Makes one file of the program that writes: 200 starts of it take half of the time. */
async function bundleStorm(directory: string): Promise<string> {
  const script = fileURLToPath(import.meta.resolve("./testing/write-storm.ts"));
  const outfile = `${directory}/write-storm.mjs`;
  await build({ entryPoints: [script], bundle: true, platform: "node", format: "esm", outfile });
  return outfile;
}

/** Lets a child write until it has told so many lines, and kills it in the midst of it. */
async function stormUntilKilled(command: readonly string[], lines: number, acknowledged: Acknowledged): Promise<void> {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let told = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.take(line);
    if (++told === lines) child.kill("SIGKILL");
  }
  assert.deepEqual(await exited, [null, "SIGKILL"]);
}

/** Lets child after child die on one directory that keeps growing, and looks after each what is left. */
async function killAgainAndAgain(script: string, directory: string, lane: number): Promise<void> {
  const acknowledged = new Acknowledged();
  for (let round = 0; round < ROUNDS; round++) {
    const lines = 1 + ((round * 37 + lane * 11) % 150);
    await stormUntilKilled([script, directory, String(round)], lines, acknowledged);
    const store = await openDiskStore({ directory, clock: systemClock, values: sampleValues });
    const table = store.table("configmaps");
    assert.ok(store.revision >= acknowledged.highest);
    acknowledged.check(store);
    const entry = await table.write({
      key: `check-${round}`,
      expected: undefined,
      object: (revision) => sampleObject(`check-${round}`, revision, "check"),
    });
    assert.ok(entry.revision > acknowledged.highest);
    await store.close();
  }
  assert.ok(acknowledged.count > 20 * ROUNDS, `${acknowledged.count} writes were acknowledged`);
  const generation = Math.max(...(await readdir(directory)).map((name) => Number.parseInt(name, 10) || 0));
  assert.ok(generation > 10, `${generation - 1} compactions`);
}

test("killed 200 times in a storm of writes, a store loses no acknowledged write and tears no commit", async () => {
  const directory = await mkdtemp(`${tmpdir()}/gatewright-kill-`);
  try {
    const script = await bundleStorm(directory);
    await Promise.all(LANES.map((lane) => killAgainAndAgain(script, `${directory}/${lane}`, lane)));
  } finally {
    await rm(directory, { recursive: true });
  }
});
