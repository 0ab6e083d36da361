import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { core } from "@gatewright/kube/api";
import { createClient } from "../client/create-client.ts";
import { done } from "../controller/outcome.ts";
import type { Transport } from "../transport/transport.ts";
import { createManager } from "./create-manager.ts";
import type { Manager } from "./manager.ts";
import { eventually } from "./testing/eventually.ts";

/** Two processes that each run a controller, told when the other one's run of the same object is not over yet. */
function process(
  identity: string,
  transport: Transport,
  diary: { who: string; key: string }[],
  running: Set<string>,
): { manager: Manager; stop: () => Promise<void> } {
  const manager = createManager({
    name: "test",
    transport,
    lease: { namespace: "default", name: "test", identity, durationMs: 1500, renewDeadlineMs: 1000, retryMs: 100 },
  });
  manager.add({
    name: "maps",
    for: core.ConfigMap,
    scope: { namespace: "default", labelSelector: "mine" },
    concurrency: 4,
    access: [{ resource: core.ConfigMap, verbs: ["patch"] }],
    async reconcile({ key, ref, client, object }) {
      assert.ok(!running.has(key), `${key} runs twice at once`);
      running.add(key);
      try {
        diary.push({ who: identity, key });
        const { annotations } = object?.metadata ?? {};
        if (object !== undefined && annotations?.["by"] === undefined) {
          await client.for(core.ConfigMap).patch(ref, { merge: { metadata: { annotations: { by: identity } } } });
        }
      } finally {
        running.delete(key);
      }
      return done();
    },
  });
  const stop = new AbortController();
  const ended = manager.run(stop.signal);
  return {
    manager,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

test("one process leads; when it stops, the other one goes on at once with a warm cache, and none runs what the other does", async () => {
  const server = await createApiServer();
  const user = createClient(server.transport(), { userAgent: "user" });
  const create = async (name: string): Promise<void> => {
    await user.for(core.ConfigMap).create({ metadata: { name, namespace: "default", labels: { mine: "" } } });
  };
  const by = async (name: string): Promise<string | undefined> =>
    (await user.for(core.ConfigMap).get({ namespace: "default", name })).metadata.annotations?.["by"];
  const diary: { who: string; key: string }[] = [];
  const running = new Set<string>();
  for (let i = 0; i < 50; i++) await create(`before-${i}`);

  const one = process("one", server.transport(), diary, running);
  await eventually("the first leads and works", async () => (await by("before-49")) === "one");
  const two = process("two", server.transport(), diary, running);
  await eventually("the second is a warm standby", () =>
    two.manager.health("ready").every(({ problem }) => problem === undefined),
  );
  assert.ok(
    diary.every(({ who }) => who === "one"),
    "the standby does nothing",
  );
  await assert.rejects(
    two.manager.client.for(core.ConfigMap).create({ metadata: { name: "no", namespace: "default" } }),
    {
      name: "NotLeadingError",
    },
  );

  for (let i = 0; i < 50; i++) await create(`while-${i}`);
  await one.stop();
  const ended = diary.length;
  await create("after");
  await eventually("the second takes over", async () => (await by("after")) === "two");
  assert.ok(
    diary.slice(ended).every(({ who }) => who === "two"),
    "who stopped does nothing any more",
  );
  await eventually("nothing was forgotten", async () => (await by("while-49")) !== undefined);
  await two.stop();
  await server.close();
});
