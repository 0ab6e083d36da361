import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { APIRoute, Backend } from "@gatewright/resources";
import { createRoutingWorld } from "../testing/routing-world.ts";
import type { RoutingWorld } from "../testing/routing-world.ts";

suite("statuses of routes and backends", () => {
  let world: RoutingWorld;
  before(async () => {
    world = await createRoutingWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  test("an object is Ready when every gateway that should have it has acknowledged it", async () => {
    await world.create(Backend, "shop/orders", { spec: { hosts: [{ address: "10.0.0.7", port: 8080 }] } });
    await world.create(APIRoute, "shop/orders", {
      spec: {
        match: [{ uri: { prefix: "/orders" } }],
        route: [{ destination: { host: "orders", port: 8080 } }],
      },
    });
    await world.delivered("Backend shop/orders");
    const { spec } = await world.delivered("APIRoute shop/orders");
    assert.deepEqual(spec["route"], [{ destination: { host: "orders", port: 8080 }, weight: 100 }]);
    const [one, two] = [world.gateway("one"), world.gateway("two")];
    one.acknowledged(world.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^False Pending Route applied to 1 of 2 gateways$/);
    two.acknowledged(world.catalogue.revision, []);
    await world.condition(APIRoute, "shop/orders", "Ready", /^True Applied Route applied to 2 of 2 gateways$/);
    await world.condition(Backend, "shop/orders", "Ready", /^True Applied Backend applied to 2 of 2 gateways$/);
    await world.condition(Backend, "shop/orders", "Healthy", /^Unknown NotReported/);
    const { status } = await world.user.for(APIRoute).get({ namespace: "shop", name: "orders" });
    assert.equal(status?.gateways, "2/2");
    assert.deepEqual(
      status.appliedGateways?.map(({ namespace, name }) => `${namespace}/${name}`),
      ["edge/one", "edge/two"],
    );
    assert.equal(status.observedGeneration, 1);
  });
});
