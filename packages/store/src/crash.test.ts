import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "./store.ts";
import { FaultyFiles } from "./testing/faulty-files.ts";
import type { Aftermath } from "./testing/faulty-files.ts";
import { openOn, put, sampleObject } from "./testing/sample-store.ts";
import type { Sample } from "./testing/sample-store.ts";

interface Run {
  /** The content after each revision that was given out, in order. */
  readonly states: { readonly revision: number; readonly content: ReadonlyMap<string, string> }[];
  acknowledged: number;
  highest: number;
}

/** Writes, some together, over two lives of the store, with compactions between. Never ends if the disk dies. */
async function workload(files: FaultyFiles, run: Run): Promise<void> {
  for (let life = 0; life < 2; life++) {
    const store = await openOn(files, { compactFromBytes: 700 });
    for (let n = 0; n < 12; n++) {
      const together = [0, 1, 2].slice(0, 1 + (n % 3)).map(async (offset) => {
        const table = store.table(n % 2 === 0 ? "pods" : "nodes");
        const key = `k${(n + offset) % 5}`;
        const deletes = (n + offset) % 4 === 3 && table.head(key) !== undefined;
        const make = (revision: number): Sample => {
          const content = new Map(run.states.at(-1)?.content);
          if (deletes) content.delete(`${table.name}/${key}`);
          else content.set(`${table.name}/${key}`, `${revision} ${n}`);
          run.states.push({ revision, content });
          run.highest = revision;
          return sampleObject(key, revision, String(n));
        };
        const entry = await table.write({ key, expected: table.head(key), deletes, object: make });
        run.acknowledged = Math.max(run.acknowledged, entry.revision);
      });
      await Promise.all(together);
    }
    await store.close();
  }
}

const AFTERMATHS: Aftermath[] = [
  { kind: "kept" },
  { kind: "lost" },
  { kind: "torn", bytes: 0.3, names: (index) => index % 2 === 0, block: () => true },
  { kind: "torn", bytes: 1, names: (index) => index > 0, block: (index) => index % 2 === 0 },
  { kind: "torn", bytes: 0.9, names: () => false, block: (index) => index % 5 !== 0 },
  { kind: "torn", bytes: 1, names: (index) => index % 2 === 1, block: () => false },
];

test("a crash at any call, with any remains of what was not synced, loses no acknowledged write", async () => {
  const whole = new FaultyFiles();
  await workload(whole, { states: [], acknowledged: 0, highest: 0 });
  assert.ok(whole.calls.length > 200);
  for (let call = 1; call <= whole.calls.length; call++) {
    const files = new FaultyFiles();
    files.fault = { call, code: "crash" };
    const run: Run = { states: [], acknowledged: 0, highest: 0 };
    await Promise.race([files.crashed, workload(files, run)]);
    for (const [index, aftermath] of AFTERMATHS.entries()) {
      const where = `crash at call ${call} (${whole.calls[call - 1]}), aftermath ${index}`;
      let left = files.restart(aftermath);
      let { highest } = run;
      for (let again = 0; again < 2; again++) {
        const store = await openOn(left).catch((error: unknown) => assert.fail(`${where}: ${String(error)}`));
        if (again === 0) checkRecovered(store, run, where);
        const next = await put(store.table("pods"), `next-${again}`);
        assert.ok(next.revision > highest, `${where}: revision ${next.revision} was given before`);
        highest = next.revision;
        left = left.restart({ kind: "lost" });
      }
      const last = await openOn(left);
      assert.ok(last.table("pods").get("next-0") && last.table("pods").get("next-1"), where);
    }
  }
});

function checkRecovered(store: Store<Sample>, run: Run, where: string): void {
  assert.ok(store.revision >= run.acknowledged, `${where}: revision ${store.revision} < ${run.acknowledged}`);
  const expected = run.states.findLast((state) => state.revision <= store.revision)?.content ?? new Map();
  const found = new Map<string, string>();
  for (const name of store.tableNames()) {
    for (const entry of store.table(name).snapshot().entries()) {
      const { data, metadata } = store.table(name).decode(entry);
      found.set(`${name}/${entry.key}`, `${metadata.resourceVersion} ${data.data}`);
    }
  }
  assert.deepEqual(found, expected, where);
}
