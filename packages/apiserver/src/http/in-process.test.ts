import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createApiServer } from "../api-server.ts";

test("a watch tells of a write at once, or after the writer has its answer", async () => {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  const path = `/api/v1/namespaces/default/${core.ConfigMap.plural}`;
  for (const [answersFirst, order] of [
    [false, ["watch", "answer"]],
    [true, ["answer", "watch"]],
  ] as const) {
    const call = server.transport(undefined, { answersFirst });
    const seen: string[] = [];
    const stop = new AbortController();
    const watch = await call({ method: "GET", path: `${path}?watch=1&resourceVersion=`, signal: stop.signal });
    const watching = (async () => {
      for await (const chunk of watch.body) if (chunk.includes(`"name":"a-${answersFirst}"`)) seen.push("watch");
    })();
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    const body = JSON.stringify({ metadata: { name: `a-${answersFirst}` } });
    await call({ method: "POST", path, headers: { "content-type": "application/json" }, body });
    seen.push("answer");
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    stop.abort();
    await watching;
    assert.deepEqual(seen, order);
  }
  await server.close();
});
