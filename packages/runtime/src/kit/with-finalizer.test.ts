import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import type { Immutable } from "@gatewright/kube";
import { isConflict } from "../client/error-kinds.ts";
import { after, done } from "../controller/outcome.ts";
import type { Outcome } from "../controller/outcome.ts";
import { BeingDeletedError, ensureFinalizer, removeFinalizer } from "./finalizer.ts";
import { createKitWorld } from "./testing/kit-world.ts";
import { withFinalizer } from "./with-finalizer.ts";

const ref = { namespace: "default", name: "held" };
const finalizer = "example.com/cleanup";

test("the finalizer is stored before anything is made, and the object goes only once cleaning up has ended", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  await maps.create({ metadata: ref });
  const seen: string[] = [];
  let left = 2;
  const flow = {
    resource: core.ConfigMap,
    finalizer,
    async reconcile(object: Immutable<core.ConfigMap>): Promise<Outcome> {
      const stored = await maps.get(ref);
      seen.push(`reconcile ${object.metadata.finalizers?.join()} ${stored.metadata.finalizers?.join()}`);
      return done();
    },
    async cleanup(): Promise<Outcome> {
      seen.push(`cleanup ${left}`);
      return left-- > 0 ? after(100) : done();
    },
  };
  const run = async (): Promise<Outcome> => {
    const object = await maps.find(ref);
    return withFinalizer({ ...world, ref, object }, flow);
  };
  assert.equal((await run()).kind, "done");
  assert.equal((await run()).kind, "done");
  await maps.delete(ref);
  assert.equal((await run()).kind, "after");
  assert.equal((await run()).kind, "after");
  assert.notEqual(await maps.find(ref), undefined);
  assert.equal((await run()).kind, "done");
  assert.equal(await maps.find(ref), undefined);
  assert.equal((await run()).kind, "done");
  const held = `reconcile ${finalizer} ${finalizer}`;
  assert.deepEqual(seen, [held, held, "cleanup 2", "cleanup 1", "cleanup 0"]);
  await world.close();
});

test("finalizers that somebody else changed meanwhile are never overwritten, nor is an object of the same name touched", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const stale = await maps.create({ metadata: ref });
  const other = await ensureFinalizer(world.client, core.ConfigMap, stale, "example.com/other");
  await assert.rejects(ensureFinalizer(world.client, core.ConfigMap, stale, finalizer), isConflict);
  assert.deepEqual((await maps.get(ref)).metadata.finalizers, ["example.com/other"]);
  const both = await ensureFinalizer(world.client, core.ConfigMap, other, finalizer);
  assert.deepEqual(both.metadata.finalizers, ["example.com/other", finalizer]);

  await maps.delete(ref);
  const dying = await maps.get(ref);
  await assert.rejects(ensureFinalizer(world.client, core.ConfigMap, dying, "example.com/late"), BeingDeletedError);
  const one = await removeFinalizer(world.client, core.ConfigMap, dying, "example.com/other");
  assert.deepEqual(one?.metadata.finalizers, [finalizer]);
  await assert.rejects(removeFinalizer(world.client, core.ConfigMap, dying, finalizer), isConflict);
  assert.equal(await removeFinalizer(world.client, core.ConfigMap, one, finalizer), undefined);
  assert.equal(await removeFinalizer(world.client, core.ConfigMap, one, finalizer), undefined);

  await maps.create({ metadata: { ...ref, finalizers: [finalizer] } });
  await assert.rejects(removeFinalizer(world.client, core.ConfigMap, one, finalizer), isConflict);
  await world.close();
});

test("a deleted object goes though somebody changes it between its cleanup and the end", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  await maps.create({ metadata: { ...ref, finalizers: [finalizer] } });
  await maps.delete(ref);
  const seen = await maps.get(ref);
  await maps.patch(ref, { merge: { data: { meddled: "yes" } } });
  assert.equal(await removeFinalizer(world.client, core.ConfigMap, seen, finalizer), undefined);
  assert.equal(await maps.find(ref), undefined);
  await world.close();
});
