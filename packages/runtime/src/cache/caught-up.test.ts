import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { core } from "@gatewright/kube/api";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { createClient } from "../client/create-client.ts";
import { caughtUp } from "./caught-up.ts";
import { createCache } from "./create-cache.ts";

/** A cache of ConfigMaps whose watch can be held back, and a question whether it has caught up. */
async function world() {
  const clock = new ManualClock();
  const time = new PassingTime(clock, { turnMs: 50 });
  const server = await createApiServer({ clock, random: seededRandom(1) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(2) });
  await user.for(core.Namespace).create({ metadata: { name: "shop" } });
  const put = (name: string, data: Record<string, string> = {}) =>
    user.for(core.ConfigMap).apply({ metadata: { namespace: "shop", name }, data });
  const remove = (name: string) => user.for(core.ConfigMap).delete({ namespace: "shop", name });
  let held = Promise.withResolvers<void>();
  held.resolve();
  const watching = createClient(
    async (request) => {
      const response = await transport(request);
      if (!request.path.includes("watch=true")) return response;
      const { body } = response;
      return {
        ...response,
        body: (async function* () {
          for await (const chunk of body) {
            await held.promise;
            yield chunk;
          }
        })(),
      };
    },
    { clock, random: seededRandom(3) },
  );
  const cache = createCache({ client: watching, clock, random: seededRandom(4) });
  const stopping = new AbortController();
  const kinds = [{ resource: core.ConfigMap, scope: { namespace: "shop" } }];
  const informer = cache.informer(core.ConfigMap, { namespace: "shop" });
  await put("old");
  const running = cache.run(stopping.signal);
  await time.until("the cache has it", () => informer.get("shop/old") !== undefined);
  return {
    put,
    remove,
    informer,
    time,
    hold: () => void (held = Promise.withResolvers<void>()),
    release: () => held.resolve(),
    ask() {
      const state = { is: "behind" };
      void caughtUp({ cache, client: user, clock, kinds }, stopping.signal).then(
        () => void (state.is = "caught up"),
        () => void (state.is = "failed"),
      );
      return state;
    },
    async [Symbol.asyncDispose]() {
      held.resolve();
      stopping.abort();
      await running;
      await server.close();
    },
  };
}

async function pass({ time }: Awaited<ReturnType<typeof world>>): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await time.turn();
}

test("a cache that has what the server has is found so", async () => {
  await using the = await world();
  const asked = the.ask();
  await the.time.until("answered", () => asked.is === "caught up");
});

test("one whose watch is held back has caught up when it has all that there was, and not before", async () => {
  for (const change of [
    (the: Awaited<ReturnType<typeof world>>) => the.put("new"),
    (the: Awaited<ReturnType<typeof world>>) => the.put("old", { a: "1" }),
    (the: Awaited<ReturnType<typeof world>>) => the.remove("old"),
  ]) {
    await using the = await world();
    the.hold();
    await change(the);
    const asked = the.ask();
    await pass(the);
    assert.equal(asked.is, "behind");
    the.release();
    await the.time.until("answered", () => asked.is === "caught up");
  }
});

test("what goes after it was asked is not waited for", async () => {
  await using the = await world();
  the.hold();
  await the.put("brief");
  const asked = the.ask();
  await pass(the);
  await the.remove("brief");
  the.release();
  await the.time.until("answered", () => asked.is === "caught up");
  assert.equal(the.informer.get("shop/brief"), undefined);
});
