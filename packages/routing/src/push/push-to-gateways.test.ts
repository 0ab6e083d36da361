import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { ServerCredentials, credentials } from "@grpc/grpc-js";
import { serveConfiguration } from "@gatewright/gateway";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/runtime";
import { ChangePace } from "../distribution/change-pace.ts";
import { createConnections } from "../distribution/create-connections.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { TakingTarget } from "../stream/testing/taking-target.ts";
import { GrpcGatewayCalls } from "./grpc-gateway-calls.ts";
import { pushToGateways } from "./push-to-gateways.ts";
import type { PushedGateway } from "./push-to-gateways.ts";

const numbers = () => ({ activeConnections: 0, requestsPerSecond: 0, errorRate: 0, memoryBytes: 0, uptimeMs: 0 });

async function gatewayWith(target: TakingTarget, port = 0) {
  const identity = { name: "gw", namespace: "edge", version: "1" };
  const insecure = ServerCredentials.createInsecure();
  return serveConfiguration({ address: "127.0.0.1", port, credentials: insecure, target, identity, numbers });
}

function operator(context: TestContext, gateways: readonly PushedGateway[]) {
  const [catalogue, clock, stopping] = [new MutableCatalogue(), new ManualClock(), new AbortController()];
  const connections = createConnections({ catalogue, clock });
  const pace = new ChangePace({ catalogue, clock });
  pace.start(stopping.signal);
  catalogue.completed();
  const list = {
    current: gateways,
    changed: () => {},
    subscribe: (told: () => void) => ((list.changed = told), () => {}),
  };
  const options = { gateways: list, catalogue, connections, pace, clock, random: seededRandom(1), log: quietLog };
  const dial = async ({ address }: PushedGateway) =>
    new GrpcGatewayCalls(address, credentials.createInsecure(), undefined, clock);
  const running = pushToGateways({ ...options, dial, gate: () => {} }, stopping.signal);
  context.after(async () => {
    stopping.abort();
    await running;
  });
  const time = new PassingTime(clock, { turnMs: 10 });
  const settled = (): Promise<unknown> =>
    time.until(
      "acknowledged",
      () => connections.all()[0]?.acknowledged,
      (seen) => seen === catalogue.revision,
    );
  const put = (...all: readonly Deliverable[]): void => all.forEach((one) => catalogue.put(one.source, [one]));
  const states = (one: Deliverable): string[] =>
    [...connections.standing(deliverableKey(one)).values()].map(({ state }) => state);
  return { catalogue, connections, time, settled, put, states, list };
}

test("a gateway is pushed what differs from what it has, and said to have it when it said so", async (context) => {
  const target = new TakingTarget();
  const kept = deliverable("kept");
  target.change([kept, deliverable("old"), deliverable("edited")], []);
  target.changes = 0;
  const server = await gatewayWith(target);
  context.after(() => server.close());
  const { put, settled, states, catalogue } = operator(context, [{ address: `127.0.0.1:${server.port}` }]);
  const bad = deliverable("bad");
  const query = deliverable("query", { kind: "GraphQLRoute" });
  put(kept, deliverable("edited", { spec: { n: 1 } }), deliverable("new", { kind: "Backend" }), bad, query);
  await settled();
  assert.deepEqual([...target.objects.keys()].toSorted(), [
    "APIRoute shop/bad",
    "APIRoute shop/edited",
    "APIRoute shop/kept",
    "Backend shop/new",
  ]);
  assert.equal(target.changes, 4);
  assert.deepEqual([states(kept), states(bad), states(query)], [["applied"], ["refused"], ["refused"]]);
  catalogue.remove(kept.source);
  await settled();
  assert.equal(target.changes, 5);
});

test("a gateway that goes and comes back is found again, and what it refused is known again", async (context) => {
  const target = new TakingTarget();
  let server = await gatewayWith(target);
  const { put, settled, time, connections, states, list } = operator(context, [
    { address: `127.0.0.1:${server.port}` },
  ]);
  const bad = deliverable("bad");
  put(deliverable("a"), bad);
  await settled();
  server.close();
  put(deliverable("b"));
  await time.until("the loss is seen", () => connections.all().length === 0);
  target.objects.delete("APIRoute shop/bad"); // a gateway that starts anew has what was good
  server = await gatewayWith(target, server.port);
  context.after(() => server.close());
  await time.until("it is there", () => connections.all().length === 1);
  await settled();
  assert.equal(target.objects.size, 3);
  assert.deepEqual(states(bad), ["refused"]);
  list.current = [];
  list.changed();
  await time.until("it is left alone", () => connections.all().length === 0);
});

test("a gateway that has lost what it was given is filled again, though the connection to it never ended", async (context) => {
  const target = new TakingTarget();
  const server = await gatewayWith(target);
  context.after(() => server.close());
  const { put, settled, time } = operator(context, [{ address: `127.0.0.1:${server.port}` }]);
  put(deliverable("a"), deliverable("bad"));
  await settled();
  const changes = target.changes;
  await time.pass(65_000);
  assert.equal(target.changes, changes);
  target.objects.clear();
  await time.pass(31_000);
  await time.until("it is filled", () => target.objects.size === 2);
  assert.deepEqual([...target.objects.keys()].toSorted(), ["APIRoute shop/a", "APIRoute shop/bad"]);
});
