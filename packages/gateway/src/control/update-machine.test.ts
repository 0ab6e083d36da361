import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { operatorApi } from "@gatewright/gateway-wire";
import { HeldObjects } from "./testing/held-objects.ts";
import { wireResource } from "./testing/small-operator.ts";
import { UpdateMachine } from "./update-machine.ts";

const { ResourceType, UpdateType } = operatorApi;
const route = (name: string) => wireResource(ResourceType.API_ROUTE, name);
const full = (names: readonly string[], sequence = 0n) =>
  create(operatorApi.ConfigurationUpdateSchema, {
    type: UpdateType.FULL_SYNC,
    version: `full-${names.join("-")}`,
    sequence,
    snapshot: create(operatorApi.ConfigurationSnapshotSchema, { apiRoutes: names.map(route) }),
  });
const single = (type: operatorApi.UpdateType, name: string, sequence: bigint) =>
  create(operatorApi.ConfigurationUpdateSchema, {
    type,
    version: `${name}-${sequence}`,
    sequence,
    resource: route(name),
  });

test("a snapshot replaces everything, single changes follow in order, and old ones are ignored", () => {
  const held = new HeldObjects();
  const machine = new UpdateMachine(held);
  machine.apply(full(["a", "b"]), 0);
  machine.apply(single(UpdateType.ADDED, "c", 1n), 0);
  assert.deepEqual(machine.apply(single(UpdateType.DELETED, "a", 1n), 0), { ignored: "sequence 1 after 1" });
  machine.apply(single(UpdateType.DELETED, "b", 2n), 0);
  assert.deepEqual(held.names, ["APIRoute shop/a", "APIRoute shop/c"]);
  machine.apply(full(["d"], 0n), 0);
  machine.apply(single(UpdateType.ADDED, "e", 1n), 0);
  assert.deepEqual(held.names, ["APIRoute shop/d", "APIRoute shop/e"]);
  assert.equal(machine.version, "e-1");
});

test("a snapshot of nothing is not believed, while the last object can be deleted", () => {
  const held = new HeldObjects();
  const machine = new UpdateMachine(held);
  machine.apply(full(["a"]), 0);
  const result = machine.apply(full([]), 100_000);
  assert.ok("applied" in result && !result.applied.success);
  assert.deepEqual(held.names, ["APIRoute shop/a"]);
  machine.apply(single(UpdateType.DELETED, "a", 1n), 100_000);
  assert.deepEqual(held.names, []);
});

test("fewer objects wait for half a minute after a registration, more do not", () => {
  const held = new HeldObjects();
  const machine = new UpdateMachine(held);
  machine.apply(full(["a", "b"]), 0);
  machine.registered(1000);
  assert.deepEqual(machine.apply(full(["a"]), 11_000), { late: 20_000 });
  assert.ok("applied" in machine.apply(full(["a", "b", "c"]), 12_000));
  assert.ok("applied" in machine.apply(full(["a"]), 31_000));
  assert.deepEqual(held.names, ["APIRoute shop/a"]);
});

test("an object that is refused is named, and the others apply", () => {
  const held = new HeldObjects();
  const machine = new UpdateMachine(held);
  const broken = { ...route("broken"), specJson: Buffer.from("{") };
  const update = full(["a", "bad"]);
  update.snapshot?.apiRoutes.push(broken);
  const result = machine.apply(update, 0);
  assert.ok("applied" in result);
  assert.equal(result.applied.success, false);
  assert.equal(
    result.applied.message,
    "APIRoute shop/broken: spec_json is not JSON; APIRoute shop/bad: spec.match: is bad",
  );
  assert.deepEqual(held.names, ["APIRoute shop/a"]);
});

test("several changes come in one update, and what was said of an object is asked for again", () => {
  const held = new HeldObjects();
  const machine = new UpdateMachine(held);
  machine.apply(full(["a", "b"]), 0);
  const batch = create(operatorApi.ConfigurationUpdateSchema, {
    type: UpdateType.MODIFIED,
    version: "batch",
    sequence: 1n,
    set: [route("c"), route("bad")],
    removed: [{ ...route("a"), specJson: new Uint8Array() }],
  });
  const result = machine.apply(batch, 0);
  assert.ok("applied" in result && !result.applied.success);
  assert.deepEqual(held.names, ["APIRoute shop/b", "APIRoute shop/c"]);
  assert.deepEqual(
    machine.held().map(({ type, namespace, name, resourceVersion }) => [type, namespace, name, resourceVersion]),
    [
      [ResourceType.API_ROUTE, "shop", "b", "1"],
      [ResourceType.API_ROUTE, "shop", "c", "1"],
    ],
  );
  held.remarksOn = "c";
  machine.apply(single(UpdateType.MODIFIED, "c", 2n), 0);
  assert.deepEqual(
    machine.held().map(({ name, resourceVersion }) => [name, resourceVersion]),
    [
      ["b", "1"],
      ["c", ""],
    ],
  );
});
