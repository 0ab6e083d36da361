import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { APIRoute, Backend, ConnectedGateway } from "@gatewright/resources";
import type { Connection, Remark } from "../distribution/connected-gateway.ts";
import { createRoutingWorld } from "../testing/routing-world.ts";
import type { RoutingWorld } from "../testing/routing-world.ts";

suite("statuses of routes and backends", () => {
  let world: RoutingWorld;
  let one: Connection;
  let two: Connection;
  before(async () => {
    world = await createRoutingWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  const orders = { namespace: "shop", name: "orders" };
  const remark = (refused: boolean, message: string): Remark => ({
    key: "APIRoute shop/orders",
    version: world.catalogue.get("APIRoute shop/orders")?.deliverable.version ?? "",
    refused,
    field: "spec.timeout",
    message,
  });
  const edit = async (timeout: string): Promise<void> => {
    await world.user.for(APIRoute).patch(orders, { merge: { spec: { timeout } } });
    await world.delivered("APIRoute shop/orders", (spec) => spec["timeout"] === timeout);
  };

  test("an object is Ready when every gateway that should have it has acknowledged it", async () => {
    await world.create(Backend, "shop/orders", { spec: { hosts: [{ address: "10.0.0.7", port: 8080 }] } });
    await world.create(APIRoute, "shop/orders", {
      spec: { match: [{ uri: { prefix: "/orders" } }], route: [{ destination: { host: "orders", port: 8080 } }] },
    });
    await world.delivered("Backend shop/orders");
    await world.delivered("APIRoute shop/orders");
    await world.condition(APIRoute, "shop/orders", "Ready", /^False NoGateways /);
    [one, two] = [world.gateway("one"), world.gateway("two")];
    one.acknowledged(world.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^False Pending Route applied to 1 of 2 gateways$/);
    two.acknowledged(world.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied Route applied to 2 of 2 gateways$/);
    await world.condition(Backend, "shop/orders", "Ready", /^True Applied Backend applied to 2 of 2 gateways$/);
    await world.condition(Backend, "shop/orders", "Healthy", /^Unknown NotReported/);
    const { status } = await world.user.for(APIRoute).get(orders);
    assert.equal(status?.gateways, "2/2");
    assert.deepEqual(
      status.appliedGateways?.map(({ namespace, name }) => `${namespace}/${name}`),
      ["edge/one", "edge/two"],
    );
    assert.equal(status.observedGeneration, 1);
    assert.equal((await world.user.for(Backend).get(orders)).status?.totalHosts, 1);
  });

  test("an edit that all acknowledge at once is told by one write", async () => {
    await world.pass(100);
    const before = world.statusWrites();
    await edit("2s");
    for (const gateway of [one, two]) gateway.acknowledged(world.catalogue.revision, []);
    await world.until(
      "generation 2 is told",
      () => world.user.for(APIRoute).get(orders),
      ({ status }) => status?.observedGeneration === 2,
    );
    await world.pass(100);
    assert.equal(world.statusWrites() - before, 1);
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied/);
  });

  test("what a gateway refuses, or serves in part, is told in its words", async () => {
    await edit("3s");
    one.acknowledged(world.catalogue.revision, [remark(true, "is too long")]);
    two.acknowledged(world.catalogue.revision, [remark(false, "is not supported")]);
    await world.condition(
      APIRoute,
      "shop/orders",
      "Ready",
      /^False Refused Route applied to 1 of 2 gateways; one: spec.timeout is too long$/,
    );
    await world.condition(
      APIRoute,
      "shop/orders",
      "Supported",
      /^False PartlySupported two: spec.timeout is not supported$/,
    );
    await edit("4s");
    for (const gateway of [one, two]) gateway.acknowledged(world.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied/);
    await world.condition(APIRoute, "shop/orders", "Supported", /^True Supported/);
  });

  test("gateways that come back at once are no news; one that stays away is", async () => {
    await world.pass(130);
    const before = world.statusWrites();
    for (let storm = 0; storm < 5; storm++) {
      for (const gateway of [one, two]) gateway.close();
      await world.pass(8);
      [one, two] = [world.gateway("one"), world.gateway("two")];
      for (const gateway of [one, two]) gateway.acknowledged(world.catalogue.revision, []);
      await world.pass(8);
    }
    await world.pass(130);
    assert.equal(world.statusWrites(), before);
    two.close();
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied Route applied to 1 of 1 gateways$/);
  });

  test("gateways of other replicas count, and are seen by all", async () => {
    const follower = world.follower("other");
    await world.until(
      "it has all",
      () => follower.catalogue.size,
      (size) => size === world.catalogue.size,
    );
    const three = follower.gateway("three");
    await world.condition(APIRoute, "shop/orders", "Ready", /^False Pending Route applied to 1 of 2 gateways$/);
    three.acknowledged(follower.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied Route applied to 2 of 2 gateways$/);
    await edit("5s");
    one.acknowledged(world.catalogue.revision, []);
    await world.until(
      "the follower has it",
      () => follower.catalogue.get("APIRoute shop/orders")?.deliverable.spec["timeout"],
      (timeout) => timeout === "5s",
    );
    three.acknowledged(follower.catalogue.revision, [remark(true, "is not to my taste")]);
    await world.condition(APIRoute, "shop/orders", "Ready", /^False Refused .*three: spec.timeout is not to my taste/);
    const records = await world.user.for(ConnectedGateway).list({ namespace: "gatewright" });
    assert.deepEqual(
      records.items.map(({ spec }) => `${spec.replica} ${spec.gateway.name} ${spec.refused}`).toSorted(),
      ["leader one 0", "other three 1"],
    );

    await follower.crash();
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied Route applied to 1 of 1 gateways$/);
    const left = await world.user.for(ConnectedGateway).list({ namespace: "gatewright" });
    assert.equal(left.items.length, 1);
  });
});
