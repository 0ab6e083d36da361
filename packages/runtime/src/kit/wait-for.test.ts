import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { createKitWorld } from "./testing/kit-world.ts";
import { waitFor } from "./wait-for.ts";

test("waiting ends when the object is as expected, also when it is gone, and with the signal's reason", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const ref = { namespace: "default", name: "awaited" };
  const filled = waitFor(maps, ref, (object) => object?.data?.["a"] === "1", world);
  await maps.create({ metadata: ref });
  await maps.patch(ref, { merge: { data: { a: "1" } } });
  assert.equal((await filled)?.metadata.name, "awaited");
  const gone = waitFor(maps, ref, (object) => object === undefined, world);
  await maps.delete(ref);
  assert.equal(await gone, undefined);

  const stop = new AbortController();
  const never = waitFor(maps, ref, (object) => object !== undefined, { clock: world.clock, signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(never, /enough/);
  const wrong = waitFor(maps, ref, () => JSON.parse("{"), world);
  await assert.rejects(wrong, SyntaxError);
  await world.close();
});
