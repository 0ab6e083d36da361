import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { apps, core } from "@gatewright/kube/api";
import { Application, GatewayHostnameRequest, HTTPRoute, TargetGroupConfiguration } from "@gatewright/resources";
import { controllerOf } from "@gatewright/runtime";
import { createApplicationWorld } from "./testing/application-world.ts";
import type { ApplicationWorld } from "./testing/application-world.ts";

suite("exposed Applications", () => {
  let world: ApplicationWorld;
  before(async () => {
    world = await createApplicationWorld({ expose: true });
  });
  after(() => world[Symbol.asyncDispose]());

  const at = (name: string) => ({ namespace: "default", name });
  const lastTransitionTime = "2030-01-01T00:00:00Z";
  const condition = (app: { readonly status?: Readonly<Application>["status"] | object }, type: string) =>
    (app as Application).status?.conditions?.find((each) => each.type === type);

  /** Plays the hostnames' controllers. */
  const answer = async (
    name: string,
    status: GatewayHostnameRequest["status"],
    ready: "True" | "False",
    why: string,
  ) => {
    const { metadata } = await world.made(GatewayHostnameRequest, name);
    const conditions = [{ type: "Ready", status: ready, reason: why, message: `it is ${why}`, lastTransitionTime }];
    const all = { observedGeneration: metadata.generation ?? 0, ...status, conditions };
    await world.user.for(GatewayHostnameRequest).status.patch(at(name), { merge: { status: all } });
  };
  /** Plays the load balancer controller. */
  const take = async (name: string, accepted: "True" | "False") => {
    const { metadata, spec } = await world.made(HTTPRoute, name);
    const reason = accepted === "True" ? "Accepted" : "NotAllowedByListeners";
    const conditions = [
      {
        type: "Accepted",
        status: accepted,
        reason,
        message: reason,
        lastTransitionTime,
        observedGeneration: metadata.generation ?? 0,
      },
    ];
    const parents = spec.parentRefs?.map((parentRef) => ({ parentRef, controllerName: "example.com/lb", conditions }));
    await world.user.for(HTTPRoute).status.patch(at(name), { merge: { status: { parents } } });
  };
  const parentsOn = (...names: string[]) =>
    names.map((name) => ({ kind: "Gateway" as const, namespace: "edge", name }));

  test("one object becomes a hostname, a route and a URL, and is not exposed until the load balancer has taken the route", async () => {
    const app = await world.user.for(Application).create({
      metadata: at("shop"),
      spec: {
        image: "nginx",
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
        expose: { hostname: "Shop.example.com", zoneId: "Z1" },
      } as Application["spec"],
    });
    const request = await world.made(GatewayHostnameRequest, "shop");
    assert.equal(controllerOf(request)?.uid, app.metadata.uid);
    assert.equal(request.spec.hostname, "Shop.example.com");
    const targets = await world.made(TargetGroupConfiguration, "shop");
    assert.equal(targets.spec?.defaultConfiguration?.targetType, "ip");
    const waiting = await world.untilApp("shop", (seen) => condition(seen, "Exposed") !== undefined);
    assert.equal(condition(waiting, "Exposed")?.reason, "Exposing");
    assert.equal(waiting.status?.url, "http://shop.default.svc:8080");

    const hostnames = ["shop.example.com"];
    await answer("shop", { hostnames, parents: parentsOn("gw-01") }, "False", "PendingIssuance");
    const route = await world.made(HTTPRoute, "shop");
    assert.deepEqual(route.spec.hostnames, hostnames);
    assert.equal(route.spec.parentRefs?.[0]?.name, "gw-01");
    await world.untilApp("shop", (seen) => condition(seen, "Exposed")?.reason === "PendingIssuance");

    const url = "https://shop.example.com";
    await answer("shop", { hostnames, parents: parentsOn("gw-01"), url }, "True", "Serving");
    await world.untilApp("shop", ({ status }) => status?.url === url);
    await take("shop", "False");
    await world.untilApp("shop", (seen) => condition(seen, "Exposed")?.reason === "NotAllowedByListeners");
    await take("shop", "True");
    const exposed = await world.untilApp("shop", (seen) => condition(seen, "Exposed")?.status === "True");
    assert.equal(condition(exposed, "Exposed")?.reason, "Serving");
    assert.equal(condition(exposed, "Ready")?.status, "False");
  });

  test("while its hostname moves the route is on both Gateways", async () => {
    const url = "https://shop.example.com";
    await answer(
      "shop",
      { hostnames: ["shop.example.com"], parents: parentsOn("gw-01", "gw-02"), url },
      "True",
      "Serving",
    );
    const route = await world.until(
      "a second parent",
      () => world.made(HTTPRoute, "shop"),
      ({ spec }) => spec.parentRefs?.length === 2,
    );
    assert.deepEqual(
      route.spec.parentRefs?.map(({ name }) => name),
      ["gw-01", "gw-02"],
    );
  });

  test("no longer exposed, it keeps its route until the hostname has gone", async () => {
    await world.user
      .for(GatewayHostnameRequest)
      .patch(at("shop"), { merge: { metadata: { finalizers: ["example.com/held"] } } });
    await world.user.for(Application).patch(at("shop"), { merge: { spec: { expose: null } } });
    await world.until(
      "the deletion",
      () => world.made(GatewayHostnameRequest, "shop"),
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
    );
    await world.pass();
    await world.made(HTTPRoute, "shop");
    await world.user.for(GatewayHostnameRequest).patch(at("shop"), { merge: { metadata: { finalizers: null } } });
    await world.gone(HTTPRoute, "shop");
    await world.gone(TargetGroupConfiguration, "shop");
    const app = await world.untilApp("shop", (seen) => condition(seen, "Exposed") === undefined);
    assert.equal(app.status?.url, "http://shop.default.svc:8080");
    const { spec } = await world.user.for(apps.Deployment).get(at("shop"));
    assert.equal(spec?.template.spec?.containers[0]?.lifecycle, undefined);
  });

  test("a quota holds hostnames back though the operator may ask for them; the pods run", async () => {
    const hard = { "count/gatewayhostnamerequests.gateway.opendi.com": "0" };
    const namespace = "held-back";
    await world.user.for(core.Namespace).create({ metadata: { name: namespace } });
    await world.user.for(core.ResourceQuota).create({ metadata: { namespace, name: "none" }, spec: { hard } });
    await world.user
      .for(core.ResourceQuota)
      .status.patch({ namespace, name: "none" }, { merge: { status: { hard, used: hard } } });
    await world.user.for(Application).create({
      metadata: { namespace, name: "held" },
      spec: {
        image: "nginx",
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
        expose: { hostname: "held.example.com", zoneId: "Z1" },
      } as Application["spec"],
    });
    await world.until(
      "the quota's word",
      () => world.user.for(Application).get({ namespace, name: "held" }),
      (app) => condition(app, "Ready")?.reason === "QuotaExceeded",
    );
    assert.ok(await world.user.for(apps.Deployment).get({ namespace, name: "held" }));
    assert.deepEqual((await world.user.for(GatewayHostnameRequest).list({ namespace })).items, []);
  });
});
