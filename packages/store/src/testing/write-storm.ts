import { systemClock } from "@gatewright/ports";
import { openDiskStore } from "../disk-store.ts";
import type { Entry, Store, Table } from "../store.ts";
import { sampleObject, sampleValues } from "./sample-store.ts";
import type { Sample } from "./sample-store.ts";

/*
 * The victim of kill.test.ts: writes until it is killed, and tells of each write after it was acknowledged.
 * Usage: write-storm.ts <directory> <round>
 */
const [directory = "", round = ""] = process.argv.slice(2);
const WRITERS = 20;
const BATCHES = ["zones", "records"];

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function write(table: Table<Sample>, key: string, value: number, deletes = false): Promise<Entry> {
  const object = (revision: number): Sample => ({
    metadata: { name: key, resourceVersion: String(revision), labels: { round } },
    data: { value: String(value), padding: "x".repeat(value % 300) },
  });
  return table.write({ key, expected: table.head(key), object, deletes });
}

/** Counts up one key, and makes keys of its own of which it deletes every third again. */
async function storm(table: Table<Sample>, writer: number): Promise<never> {
  const counter = `counter-${writer}`;
  const last = table.head(counter);
  let value = last === undefined ? 0 : Number(table.decode(last).data["value"]);
  for (let step = 0; ; step++) {
    const key = `round-${round}/${writer}-${step}`;
    tell(`count ${counter} ${(await write(table, counter, ++value)).revision} ${value}`);
    tell(`put ${key} ${(await write(table, key, step)).revision} ${step % 3 === 0}`);
    if (step % 3 !== 0) continue;
    tell(`delete ${key} ${(await write(table, key, step, true)).revision}`);
  }
}

/** Counts up fifty keys of two tables, all in one commit. */
async function batches(store: Store<Sample>): Promise<never> {
  const last = store.table(BATCHES[0]!).head("b0");
  let value = last === undefined ? 0 : Number(store.table(BATCHES[0]!).decode(last).data["data"]);
  for (;;) {
    value++;
    const requests = Array.from({ length: 50 }, (_, n) => {
      const [table, key] = [BATCHES[n % 2]!, `b${n}`];
      const object = (revision: number): Sample => sampleObject(key, revision, String(value));
      return { table, key, expected: store.table(table).head(key), object };
    });
    const entries = await store.commit(requests);
    tell(`batch all ${entries.at(-1)!.revision} ${value}`);
  }
}

tell("starting");
const store = await openDiskStore({ directory, clock: systemClock, values: sampleValues, compactFromBytes: 64 * 1024 });
const writers = Array.from({ length: WRITERS }, (_, writer) => storm(store.table("configmaps"), writer));
await Promise.all([...writers, batches(store)]);
