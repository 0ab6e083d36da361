import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { StatusError } from "@gatewright/kube";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Gateway, HTTPRoute, allResources, gatewayResources } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { TLS_ROUTES, actorsOf, anyKind, setStage } from "./hijack-world.ts";
import type { Actors } from "./hijack-world.ts";
import { tellStories } from "./tell-stories.ts";

async function embedded(scope: "pool" | "all"): Promise<{ server: ApiServer; actors: Actors }> {
  const server = await createApiServer();
  const admin = createClient(server.transport());
  const definitions = admin.for(apiextensions.CustomResourceDefinition);
  for (const kind of [...allResources, ...gatewayResources]) await definitions.create(crdOf(kind));
  await definitions.create(TLS_ROUTES);
  await server.idle();
  const actors = actorsOf(admin);
  await setStage(actors, scope);
  return { server, actors };
}

suite("hostnames of others, on the embedded API server", () => {
  let world: Awaited<ReturnType<typeof embedded>>;
  before(async () => {
    world = await embedded("pool");
  });
  after(() => world.server.close());

  tellStories(() => world.actors);
});

suite("hostnames of others, where all Gateways are held to grants", () => {
  let world: Awaited<ReturnType<typeof embedded>>;
  before(async () => {
    world = await embedded("all");
  });
  after(() => world.server.close());

  const gateway = (namespace: string, hostname?: string) => {
    const listeners = [{ name: "http", port: 80, protocol: "HTTP", ...(hostname !== undefined && { hostname }) }];
    return world.actors.tenant.for(anyKind(Gateway)).create({
      metadata: { generateName: "gateway-", namespace },
      spec: { gatewayClassName: "any", listeners },
    });
  };
  const route = (namespace: string, spec: object) =>
    world.actors.tenant.for(anyKind(HTTPRoute)).create({ metadata: { generateName: "route-", namespace }, spec });
  const own = { parentRefs: [{ name: "own" }] };
  const refused = (attempt: Promise<unknown>, words: RegExp) =>
    assert.rejects(attempt, (error) => error instanceof StatusError && words.test(error.message));

  test("a Gateway has listeners for hostnames of its namespace, or for none in particular", async () => {
    await gateway("hijack-shop", "shop.example.com");
    await gateway("hijack-shop");
    await gateway("hijack-none");
    await refused(
      gateway("hijack-shop", "bank.example.com"),
      /bank.example.com is not granted to namespace hijack-shop/,
    );
    await refused(
      gateway("hijack-none", "bank.example.com"),
      /bank.example.com is not granted to namespace hijack-none/,
    );
  });

  test("routes to Gateways of their own name granted hostnames too, and those of meshes need none", async () => {
    await route("hijack-shop", { ...own, hostnames: ["shop.example.com"] });
    await refused(route("hijack-shop", { ...own, hostnames: ["bank.example.com"] }), /is not granted/);
    await refused(route("hijack-shop", own), /spec.hostnames is needed/);
    await refused(route("hijack-none", own), /a hostname is not granted to namespace hijack-none, which has none/);
    await route("hijack-none", { parentRefs: [{ group: "", kind: "Service", name: "bank" }] });
  });
});
