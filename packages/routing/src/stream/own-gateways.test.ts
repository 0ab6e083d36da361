import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { credentials } from "@grpc/grpc-js";
import { followOperator } from "@gatewright/gateway";
import { seededRandom } from "@gatewright/ports";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { StreamWorld } from "./testing/stream-world.ts";
import { TakingTarget } from "./testing/taking-target.ts";

const route = (name: string, n = 0): Deliverable => deliverable(name, { spec: { n } });
const numbers = { activeConnections: 0, requestsPerSecond: 0, errorRate: 0, memoryBytes: 0, uptimeMs: 0 };

async function world(context: TestContext, ...deliverables: readonly Deliverable[]): Promise<StreamWorld> {
  const made = new StreamWorld();
  context.after(() => made.end());
  made.put(...deliverables);
  made.catalogue.completed();
  await made.start();
  return made;
}

function follows(all: StreamWorld, target: TakingTarget, name = "gw"): void {
  all.run((signal) =>
    followOperator(
      {
        address: all.address,
        identity: { name, namespace: "edge", version: "1" },
        namespaces: [],
        credentials: async () => credentials.createInsecure(),
        target,
        numbers: () => numbers,
        clock: all.clock,
        random: seededRandom(1),
        log: () => {},
      },
      signal,
    ),
  );
}

test("our gateway is given all once, then what differs, whoever the operator is", async (context) => {
  const all = await world(context, route("a"), route("b"), route("c"));
  const target = new TakingTarget();
  follows(all, target);
  await all.settled();
  assert.deepEqual([target.replacements, target.changes, target.objects.size], [1, 0, 3]);
  all.put(route("a", 1), route("d"));
  all.remove(route("b"));
  await all.settled();
  assert.deepEqual([target.changes, target.objects.size], [3, 3]);
  await all.restart([route("a", 2), route("c"), route("d")]);
  await all.settled();
  assert.deepEqual([target.replacements, target.changes], [1, 4]);
  await all.restart([route("a", 2)]);
  await all.settled();
  assert.deepEqual([...target.objects.keys()], ["APIRoute shop/a"]);
  assert.deepEqual([target.replacements, target.changes], [1, 6]);
});

test("our gateway keeps what an operator that comes later can make nothing of, until that is good or gone", async (context) => {
  const backend = deliverable("web:80", { kind: "Backend" });
  const all = await world(context, route("a"), route("turning"), route("going"), backend);
  const target = new TakingTarget();
  follows(all, target);
  await all.settled();
  await all.restart([route("a", 1)]);
  for (const { source } of [route("turning"), route("going")]) all.catalogue.keep(source);
  await all.settled();
  assert.deepEqual([...target.objects.keys()].toSorted(), [
    "APIRoute shop/a",
    "APIRoute shop/going",
    "APIRoute shop/turning",
    "Backend shop/web:80",
  ]);
  all.remove(route("going"));
  all.put(route("turning", 1));
  await all.settled();
  assert.deepEqual([...target.objects.keys()].toSorted(), ["APIRoute shop/a", "APIRoute shop/turning"]);
  assert.deepEqual(target.objects.get("APIRoute shop/turning")?.spec, { n: 1 });
});

test("what our gateway refuses is known by its name and field, also to an operator who comes later", async (context) => {
  const bad = route("bad");
  const all = await world(context, route("a"), bad);
  const target = new TakingTarget();
  follows(all, target);
  await all.settled();
  assert.deepEqual([all.states(route("a")), all.states(bad)], [["applied"], ["refused"]]);
  assert.equal(all.connections.all()[0]?.refused, 1);
  await all.restart([route("a"), bad]);
  await all.settled();
  assert.deepEqual([all.states(route("a")), all.states(bad)], [["applied"], ["refused"]]);
  assert.equal(target.changes, 1);
});

test("two hundred gateways of both sorts come back at once, and all have what there is", async (context) => {
  const first = Array.from({ length: 50 }, (_, n) =>
    deliverable(`r${n}`, { spec: { match: [{ uri: { exact: `/r${n}` } }], directResponse: { status: 200 } } }),
  );
  const all = await world(context, ...first);
  const targets = Array.from({ length: 100 }, () => new TakingTarget());
  targets.forEach((target, n) => follows(all, target, `own-${n}`));
  const strict = Array.from({ length: 100 }, (_, n) => all.gateway(`avapigw-${n}`));
  await all.settled(200);
  const match = [{ uri: { exact: "/r0" } }];
  await all.restart([deliverable("r0", { spec: { match, directResponse: { status: 202 } } }), ...first.slice(1)]);
  await all.settled(200, 100);
  for (const gateway of strict) {
    assert.deepEqual(gateway.state.violations, []);
    assert.equal(gateway.state.names.length, 50);
    assert.deepEqual(gateway.state.spec("API_ROUTE shop/r0")?.["directResponse"], { status: 202 });
  }
  for (const target of targets)
    assert.deepEqual([target.replacements, target.changes, target.objects.size], [1, 1, 50]);
});
