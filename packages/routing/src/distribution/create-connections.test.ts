import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import type { GatewayIdentity, Remark, Standing } from "./connected-gateway.ts";
import { createConnections } from "./create-connections.ts";

const gateway = (name: string, namespaces: readonly string[] = []): GatewayIdentity => ({
  namespace: "edge",
  name,
  dialect: "gatewright",
  door: "stream",
  labels: {},
  version: "1",
  namespaces,
});

function world() {
  const [catalogue, clock] = [new MutableCatalogue(), new ManualClock()];
  const connections = createConnections({ catalogue, clock });
  const told: (readonly string[] | "all")[] = [];
  connections.subscribe((changed) => void told.push(changed === "all" ? "all" : [...changed]));
  const route = deliverable("a");
  catalogue.put(route.source, [route]);
  const states = (key: string): Standing["state"][] =>
    [...connections.standing(key).values()].map(({ state }) => state);
  return { catalogue, clock, connections, told, route, key: deliverableKey(route), states };
}

test("a deliverable is applied when its revision was acknowledged, and pending again when it changes", () => {
  const { catalogue, connections, key, states, told } = world();
  const one = connections.open(gateway("one"));
  assert.deepEqual(states(key), ["pending"]);
  one.sent(1);
  assert.deepEqual(states(key), ["pending"]);
  one.acknowledged(1, []);
  assert.deepEqual(states(key), ["applied"]);
  told.length = 0;
  const edited = deliverable("a", { spec: { x: 1 } });
  catalogue.put(edited.source, [edited]);
  assert.deepEqual(states(key), ["pending"]);
  assert.deepEqual(connections.all()[0]?.behind, 1);
  one.acknowledged(2, []);
  assert.deepEqual(told, [[key], [key]]);
  one.close();
  one.close();
  assert.deepEqual(states(key), []);
  assert.deepEqual(told.at(-1), "all");
});

test("a refusal concerns one version of one object, and goes with it", () => {
  const { catalogue, connections, route, key, states } = world();
  const one = connections.open(gateway("one"));
  one.acknowledged(1, [{ key, version: route.version, refused: true, field: "spec.match", message: "is bad" }]);
  assert.deepEqual(states(key), ["refused"]);
  assert.equal(connections.all()[0]?.refused, 1);
  assert.deepEqual(
    connections
      .all()[0]
      ?.refusals(9)
      .map(({ message }) => message),
    ["is bad"],
  );
  const mended = deliverable("a", { spec: { x: 1 } });
  catalogue.put(mended.source, [mended]);
  assert.deepEqual(states(key), ["pending"]);
  one.acknowledged(2, []);
  assert.deepEqual(states(key), ["applied"]);
  assert.equal(connections.all()[0]?.refused, 0);
  assert.deepEqual(connections.all()[0]?.refusals(9), []);
});

test("what a gateway refuses and what it is known to refuse is told together, the first few by name", () => {
  const { catalogue, connections } = world();
  const routes = ["d", "c", "b"].map((name) => deliverable(name));
  for (const route of routes) catalogue.put(route.source, [route]);
  const refusal = (route: Deliverable, message: string): Remark => {
    return { key: deliverableKey(route), version: route.version, refused: true, field: "spec", message };
  };
  const one = connections.open(gateway("one"), (route) => (route.name === "c" ? [refusal(route, "known")] : []));
  one.acknowledged(
    catalogue.revision,
    routes.filter(({ name }) => name !== "c").map((route) => refusal(route, "said")),
  );
  const [view] = connections.all();
  assert.equal(view?.refused, 3);
  assert.deepEqual(
    view?.refusals(2).map(({ key, message }) => [key, message]),
    [
      [deliverableKey(deliverable("b")), "said"],
      [deliverableKey(deliverable("c")), "known"],
    ],
  );
});

test("gateways are told of in the order of their names, however they come and go", () => {
  const { connections, key } = world();
  const names = (): string[] => Array.from(connections.standing(key).keys(), (view) => view.gateway.name);
  const [two, one] = ["two", "one"].map((name) => connections.open(gateway(name)));
  assert.deepEqual(names(), ["one", "two"]);
  connections.open(gateway("between"));
  assert.deepEqual(names(), ["between", "one", "two"]);
  one?.close();
  two?.close();
  assert.deepEqual(names(), ["between"]);
});

test("a problem without a name concerns all that was there, until it is acknowledged without one", () => {
  const { catalogue, connections, key, states } = world();
  const one = connections.open(gateway("one"));
  one.acknowledged(1, [], "cannot load");
  const other = deliverable("b");
  catalogue.put(other.source, [other]);
  assert.deepEqual([states(key), states(deliverableKey(other))], [["refused"], ["pending"]]);
  assert.equal(connections.all()[0]?.problem, "cannot load");
  one.acknowledged(2, []);
  assert.deepEqual([states(key), states(deliverableKey(other))], [["applied"], ["applied"]]);
});

test("a gateway stands only to what is in the namespaces that it asked for", () => {
  const { connections, key, states } = world();
  connections.open(gateway("elsewhere", ["bank"]));
  connections.open(gateway("here", ["bank", "shop"]));
  assert.deepEqual(states(key), ["pending"]);
});

test("when something was applied is told", () => {
  const { catalogue, connections, clock, key } = world();
  const one = connections.open(gateway("one"));
  clock.advance(1000);
  const at = clock.now();
  one.acknowledged(1, []);
  const other = deliverable("b");
  catalogue.put(other.source, [other]);
  clock.advance(1000);
  one.acknowledged(2, []);
  const [standing] = connections.standing(key).values();
  assert.ok(standing?.state === "applied");
  assert.equal(standing.since, at);
});
