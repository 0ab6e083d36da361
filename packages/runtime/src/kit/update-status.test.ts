import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { isConflict } from "../client/error-kinds.ts";
import { isTrue, removeCondition, setCondition } from "./condition.ts";
import { TransportError } from "../transport/transport-error.ts";
import { createKitWorld } from "./testing/kit-world.ts";
import { updateStatus } from "./update-status.ts";

const fact = { type: "Ready", status: "True", reason: "Serving", message: "", observedGeneration: 1 } as const;

test("a condition's time changes with its status alone, and equal facts are the same array", () => {
  const first = setCondition(undefined, fact, 0);
  assert.equal(setCondition(first, fact, 60_000), first);
  const later = setCondition(first, { ...fact, observedGeneration: 2, message: "still" }, 60_000);
  assert.equal(later[0]?.lastTransitionTime, first[0]?.lastTransitionTime);
  const turned = setCondition(later, { ...fact, status: "False" }, 60_000);
  assert.equal(turned[0]?.lastTransitionTime, "1970-01-01T00:01:00Z");
  const two = setCondition(turned, { ...fact, type: "Other" }, 0);
  assert.deepEqual([two.length, two[0]], [2, turned[0]]);
  assert.deepEqual([isTrue(two, "Other"), isTrue(two, "Other", 2), isTrue(two, "Ready")], [true, false, false]);
  assert.equal(removeCondition(two, "None"), two);
  assert.equal(removeCondition(two, "Other").length, 1);
});

test("a status is written when it says something new, never for its times alone", async () => {
  const world = await createKitWorld();
  const services = world.client.for(core.Service);
  const ref = { namespace: "default", name: "web" };
  const made = await services.create({ metadata: ref, spec: { ports: [{ port: 80 }], clusterIP: "None" } });
  const condition = {
    type: "Ready",
    status: "True",
    reason: "Serving",
    message: "",
    lastTransitionTime: "2030-01-01T00:00:00Z",
  };
  const written = await updateStatus(world.client, core.Service, made, { loadBalancer: {}, conditions: [condition] });
  assert.equal(written.status?.conditions?.[0]?.reason, "Serving");
  world.requests.length = 0;
  const touched = { ...condition, lastTransitionTime: "2031-01-01T00:00:00Z" };
  const same = await updateStatus(world.client, core.Service, written, { loadBalancer: {}, conditions: [touched] });
  assert.deepEqual([same, world.requests], [written, []]);
  const gone = await updateStatus(world.client, core.Service, written, { loadBalancer: {} });
  assert.equal(gone.status?.conditions, undefined);

  const stale = updateStatus(world.client, core.Service, made, { conditions: [condition] }, { by: "replace" });
  await assert.rejects(stale, isConflict);
  await services.delete(ref);
  await services.create({ metadata: ref, spec: { ports: [{ port: 80 }], clusterIP: "None" } });
  await assert.rejects(updateStatus(world.client, core.Service, gone, { conditions: [condition] }), isConflict);
  await world.close();
});

test("after a write without an answer a status is written though it is the one that is known", async () => {
  const world = await createKitWorld();
  const services = world.client.for(core.Service);
  const ref = { namespace: "default", name: "web" };
  const known = await services.create({ metadata: ref, spec: { ports: [{ port: 80 }], clusterIP: "None" } });
  const status = known.status ?? {};
  const conditions = [{ ...fact, lastTransitionTime: "2030-01-01T00:00:00Z" }];
  const done = world.server;
  world.intercept = async (request) => {
    await done(request);
    throw new TransportError("timeout", "no answer in time");
  };
  await assert.rejects(updateStatus(world.client, core.Service, known, { ...status, conditions }), TransportError);
  world.intercept = undefined;
  assert.equal((await services.get(ref)).status?.conditions?.length, 1);
  await updateStatus(world.client, core.Service, known, status);
  const now = await services.get(ref);
  assert.equal(now.status?.conditions, undefined);
  world.requests.length = 0;
  await updateStatus(world.client, core.Service, now, now.status ?? {});
  assert.deepEqual(world.requests, []);
  await world.close();
});

test("a status that was written without an answer, and is answered to be as it was, is not written a third time", async () => {
  const world = await createKitWorld();
  const services = world.client.for(core.Service);
  const ref = { namespace: "default", name: "web" };
  const made = await services.create({ metadata: ref, spec: { ports: [{ port: 80 }], clusterIP: "None" } });
  const status = { conditions: [{ ...fact, lastTransitionTime: "2030-01-01T00:00:00Z" }], loadBalancer: {} };
  const known = await updateStatus(world.client, core.Service, made, status);
  world.intercept = async () => {
    throw new TransportError("timeout", "no answer in time");
  };
  await assert.rejects(updateStatus(world.client, core.Service, known, { conditions: [] }), TransportError);
  world.intercept = undefined;
  world.requests.length = 0;
  for (let times = 0; times < 3; times++) await updateStatus(world.client, core.Service, known, status);
  assert.equal(world.requests.length, 1);
  await world.close();
});
