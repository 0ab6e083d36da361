import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { core, discovery } from "@gatewright/kube/api";
import { APIRoute, AvapigwGRPCRoute, Backend, GRPCBackend, GraphQLRoute, ReferenceGrant } from "@gatewright/resources";
import { createRoutingWorld } from "../testing/routing-world.ts";
import type { RoutingWorld } from "../testing/routing-world.ts";

const to = (host: string, port = 8080) => [{ destination: { host, port } }];
const at = (path: string) => [{ uri: { exact: path } }];

suite("the feed", () => {
  let world: RoutingWorld;
  before(async () => {
    world = await createRoutingWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  const service = (name: string, spec: object = {}) =>
    world.create(core.Service, name, { spec: { ports: [{ name: "http", port: 8080, targetPort: 3000 }], ...spec } });
  const slice = (name: string, of: string, endpoints: object[], ports: object[] = [{ name: "http", port: 3000 }]) => {
    const [namespace = "", own = ""] = name.split("/");
    return world.user.for(discovery.EndpointSlice).create({
      metadata: { namespace, name: own, labels: { "kubernetes.io/service-name": of } },
      addressType: "IPv4",
      endpoints,
      ports,
    } as never);
  };
  const hosts = (spec: Record<string, unknown>): string =>
    (spec["hosts"] as { address: string; port: number; weight: number }[])
      .map(({ address, port, weight }) => `${address}:${port}*${weight}`)
      .join(" ");

  test("a Service becomes one backend with its ready endpoints for all that lead to it", async () => {
    await service("shop/web");
    await slice("shop/web-1", "web", [
      { addresses: ["10.1.0.2"], conditions: { ready: true } },
      { addresses: ["10.1.0.1"] },
      { addresses: ["10.1.0.3"], conditions: { ready: false } },
    ]);
    await world.create(APIRoute, "shop/web-one", { spec: { match: at("/one"), route: to("web") } });
    await world.create(APIRoute, "shop/web-two", {
      spec: { match: at("/two"), route: to("web.shop.svc.cluster.local") },
    });
    const { spec } = await world.delivered("APIRoute shop/web-two");
    assert.equal(JSON.stringify(spec["route"]), `[{"destination":{"host":"web:8080","port":8080},"weight":100}]`);
    const backend = await world.delivered("Backend shop/web:8080");
    assert.equal(hosts(backend.spec), "10.1.0.1:3000*1 10.1.0.2:3000*1");
    const route = await world.delivered("APIRoute shop/web-one");
    const slices = world.user.for(discovery.EndpointSlice);
    await slices.patch(
      { namespace: "shop", name: "web-1" },
      {
        merge: {
          endpoints: [{ addresses: ["10.1.0.9"], conditions: { ready: false, serving: true, terminating: true } }],
        },
      },
    );
    await world.delivered("Backend shop/web:8080", (one) => hosts(one) === "10.1.0.9:3000*1");
    await slices.patch({ namespace: "shop", name: "web-1" }, { merge: { endpoints: [] } });
    await world.delivered("Backend shop/web:8080", (one) => hosts(one).includes("no-endpoints.invalid"));
    assert.equal((await world.delivered("APIRoute shop/web-one")).version, route.version);
    for (const name of ["web-one", "web-two"]) await world.user.for(APIRoute).delete({ namespace: "shop", name });
    await world.undelivered("Backend shop/web:8080");
  });

  test("a backend of the name goes before a Service, when it comes and until it goes", async () => {
    await service("shop/both");
    await world.create(APIRoute, "shop/both", { spec: { match: at("/both"), route: to("both") } });
    await world.delivered("Backend shop/both:8080");
    await world.create(Backend, "shop/both", { spec: { hosts: [{ address: "10.0.0.1", port: 80 }] } });
    await world.delivered("APIRoute shop/both", (spec) => JSON.stringify(spec["route"]).includes(`"host":"both"`));
    await world.undelivered("Backend shop/both:8080");
    await world.user.for(Backend).delete({ namespace: "shop", name: "both" });
    await world.delivered("Backend shop/both:8080");
  });

  test("watches may overtake each other: a route waits a moment for its new backend, a backend that goes for its routes", async () => {
    const backend = { spec: { hosts: [{ address: "10.0.0.1", port: 80 }] } };
    const ref = (name: string) => ({ namespace: "shop", name });
    const leadsTo = (host: string) => (spec: object) => JSON.stringify(spec).includes(`"host":"${host}"`);
    await world.create(Backend, "shop/old", backend);
    await world.create(APIRoute, "shop/renamed", { spec: { match: at("/renamed"), route: to("old") } });
    await world.delivered("APIRoute shop/renamed", leadsTo("old"));
    await world.user.for(APIRoute).patch(ref("renamed"), { merge: { spec: { route: to("new") } } });
    await world.user.for(Backend).delete(ref("old"));
    await world.pass(4);
    await world.delivered("APIRoute shop/renamed", leadsTo("old"));
    await world.delivered("Backend shop/old");
    await world.create(Backend, "shop/new", backend);
    await world.delivered("APIRoute shop/renamed", leadsTo("new"));
    await world.undelivered("Backend shop/old");
    await world.user.for(APIRoute).patch(ref("renamed"), { merge: { spec: { route: to("nowhere") } } });
    await world.delivered("APIRoute shop/renamed", leadsTo("nowhere"));
    await world.user.for(APIRoute).delete(ref("renamed"));
    await world.user.for(Backend).delete(ref("new"));
    await world.undelivered("Backend shop/new");
  });

  test("a Service that is a backend's only host is that backend, however it is written", async () => {
    await service("shop/hello");
    await world.create(APIRoute, "shop/hello", { spec: { match: at("/hello"), route: to("hello") } });
    await world.delivered("Backend shop/hello:8080");
    const only = [{ address: "hello.shop.svc.cluster.local", port: 8080 }];
    await world.create(Backend, "shop/hello-backend", { spec: { hosts: only } });
    const leadsTo = (host: string) => (spec: object) => JSON.stringify(spec).includes(`"host":"${host}"`);
    await world.delivered("APIRoute shop/hello", leadsTo("hello-backend"));
    await world.undelivered("Backend shop/hello:8080");
    const backend = { namespace: "shop", name: "hello-backend" };
    const two = [...only, { address: "10.0.0.1", port: 80 }];
    await world.user.for(Backend).patch(backend, { merge: { spec: { hosts: two } } });
    await world.delivered("APIRoute shop/hello", leadsTo("hello:8080"));
  });

  test("a port that the Service does not have, and a destination that is nothing, are told", async () => {
    await world.create(APIRoute, "shop/wrong-port", { spec: { match: at("/wrong-port"), route: to("both", 9) } });
    await world.condition(
      APIRoute,
      "shop/wrong-port",
      "Ready",
      /False ReferenceMissing spec.route\[0\].destination.port: Service both has no port 9; it has 8080 \(http\)/,
    );
    await world.create(APIRoute, "shop/nothing", { spec: { match: at("/nothing"), route: to("nothing") } });
    await world.delivered("APIRoute shop/nothing");
    const report = world.feed.report("APIRoute shop/nothing");
    assert.deepEqual(
      report?.problems.map(({ reason, severity }) => `${severity} ${reason}`),
      ["warning BackendMissing"],
    );
  });

  test("a Service of another namespace needs a grant there", async () => {
    await service("bank/vault");
    await world.create(APIRoute, "shop/foreign", { spec: { match: at("/foreign"), route: to("vault.bank") } });
    await world.condition(
      APIRoute,
      "shop/foreign",
      "Ready",
      /False NotPermitted .*Service bank\/vault is in another namespace/,
    );
    assert.equal(world.catalogue.get("APIRoute shop/foreign"), undefined);
    await world.create(ReferenceGrant, "bank/to-vault", {
      spec: {
        from: [{ group: "avapigw.io", kind: "APIRoute", namespace: "shop" }],
        to: [{ group: "", kind: "Service", name: "vault" }],
      },
    });
    await world.delivered("APIRoute shop/foreign");
    await world.delivered("Backend shop/vault.bank:8080");
    await world.create(Backend, "bank/safe", { spec: { hosts: [{ address: "10.0.0.1", port: 80 }] } });
    await world.create(APIRoute, "shop/sly", { spec: { match: at("/sly"), route: to("bank/safe") } });
    await world.condition(
      APIRoute,
      "shop/sly",
      "Ready",
      /False NotPermitted .*Backend bank\/safe is in another namespace/,
    );
  });

  test("what another namespace no longer grants does not serve on, not even as the last good version of a bad object", async () => {
    await service("bank/desk");
    const grant = {
      spec: {
        from: [{ group: "avapigw.io", kind: "APIRoute", namespace: "shop" }],
        to: [{ group: "", kind: "Service", name: "desk" }],
      },
    };
    await world.create(ReferenceGrant, "bank/to-desk", grant);
    for (const name of ["revoked", "revoked-and-bad"])
      await world.create(APIRoute, `shop/${name}`, { spec: { match: at(`/${name}`), route: to("desk.bank") } });
    await world.delivered("APIRoute shop/revoked");
    await world.delivered("APIRoute shop/revoked-and-bad");
    const badly = { enabled: true, abac: { enabled: true, policies: [{ name: "a", expression: "(" }] } };
    const bad = { namespace: "shop", name: "revoked-and-bad" };
    await world.user.for(APIRoute).patch(bad, { merge: { spec: { authorization: badly, route: to("10.0.0.1") } } });
    await world.condition(APIRoute, "shop/revoked-and-bad", "Ready", /False Invalid .*; generation 1 goes on serving/);
    await world.user.for(ReferenceGrant).delete({ namespace: "bank", name: "to-desk" });
    for (const name of ["revoked", "revoked-and-bad"]) await world.undelivered(`APIRoute shop/${name}`);
    await world.undelivered("Backend shop/desk.bank:8080");
    await world.condition(APIRoute, "shop/revoked", "Ready", /False NotPermitted /);
    await world.create(ReferenceGrant, "bank/to-desk", grant);
    await world.delivered("APIRoute shop/revoked");
  });

  test("hosts of a backend that are Services become their endpoints, each with its share", async () => {
    await service("shop/shares");
    await slice("shop/shares-1", "shares", [{ addresses: ["10.2.0.1"] }, { addresses: ["10.2.0.2"] }]);
    await world.create(GRPCBackend, "shop/shares", {
      spec: {
        hosts: [
          { address: "shares.shop.svc.cluster.local", port: 8080, weight: 50 },
          { address: "192.0.2.1", port: 80, weight: 50 },
        ],
      },
    });
    const { spec } = await world.delivered("GRPCBackend shop/shares");
    assert.equal(hosts(spec), "10.2.0.1:3000*25 10.2.0.2:3000*25 192.0.2.1:80*50");
  });

  test("what Secrets and ConfigMaps hold is filled in, and followed; what nobody refers to is not read", async () => {
    const providers = [
      {
        name: "idp",
        issuerUrl: "https://idp.example.com",
        clientId: "a",
        clientSecretRef: { name: "login", key: "secret" },
      },
    ];
    const authentication = { enabled: true, oidc: { enabled: true, providers } };
    await world.create(APIRoute, "shop/login", {
      spec: { match: at("/login"), route: to("10.0.0.1"), authentication },
    });
    await world.condition(
      APIRoute,
      "shop/login",
      "Ready",
      /False ReferenceMissing .*there is no Secret login in namespace shop/,
    );
    const stringData = { secret: "one" };
    await world.create(core.Secret, "shop/login", { stringData });
    await world.create(core.Secret, "shop/other", { stringData });
    const has = (text: string) => (spec: object) => JSON.stringify(spec).includes(`"clientSecret":"${text}"`);
    await world.delivered("APIRoute shop/login", has("one"));
    assert.ok(
      !JSON.stringify(await world.user.for(APIRoute).get({ namespace: "shop", name: "login" })).includes('"one"'),
    );
    await world.user
      .for(core.Secret)
      .patch({ namespace: "shop", name: "login" }, { merge: { stringData: { secret: "two" } } });
    await world.delivered("APIRoute shop/login", has("two"));
    await world.user.for(core.Secret).delete({ namespace: "shop", name: "login" });
    await world.condition(
      APIRoute,
      "shop/login",
      "Ready",
      /False ReferenceMissing .*; what it referred to before goes on serving/,
    );
    await world.delivered("APIRoute shop/login", has("two"));

    await world.create(core.ConfigMap, "shop/schema", { data: { "a.graphql": "type Query { a: Int }" } });
    const schemaValidation = { enabled: true, schemaConfigMapRef: { name: "schema" } };
    await world.create(GraphQLRoute, "shop/schema", {
      spec: { match: [{ path: { exact: "/schema" } }], route: to("10.0.0.1"), schemaValidation },
    });
    const { spec } = await world.delivered("GraphQLRoute shop/schema");
    assert.deepEqual(spec["schemaValidation"], { enabled: true, schemaInline: "type Query { a: Int }" });
  });

  test("a bad object is kept out, and what was good of it stays", async () => {
    await world.create(APIRoute, "shop/turning", { spec: { match: at("/turning"), route: to("10.0.0.1") } });
    const { version } = await world.delivered("APIRoute shop/turning");
    const routes = world.user.for(APIRoute);
    const badly = { enabled: true, abac: { enabled: true, policies: [{ name: "a", expression: "(" }] } };
    await routes.patch({ namespace: "shop", name: "turning" }, { merge: { spec: { authorization: badly } } });
    await world.condition(
      APIRoute,
      "shop/turning",
      "Ready",
      /False Invalid spec.authorization.abac.policies\[0\].expression: .*; generation 1 goes on serving/,
    );
    assert.equal((await world.delivered("APIRoute shop/turning")).version, version);
    await routes.patch(
      { namespace: "shop", name: "turning" },
      { merge: { spec: { match: at("/turned"), authorization: null } } },
    );
    await world.delivered("APIRoute shop/turning", (spec) => JSON.stringify(spec).includes("/turned"));
  });

  test("what was good of a bad object follows what it refers to", async () => {
    await world.create(APIRoute, "shop/following", { spec: { match: at("/following"), route: to("later") } });
    await world.delivered("APIRoute shop/following");
    const badly = { enabled: true, abac: { enabled: true, policies: [{ name: "a", expression: "(" }] } };
    const routes = world.user.for(APIRoute);
    await routes.patch({ namespace: "shop", name: "following" }, { merge: { spec: { authorization: badly } } });
    await world.condition(APIRoute, "shop/following", "Ready", /False Invalid .*; generation 1 goes on serving/);
    await world.create(core.Service, "shop/later", { spec: { clusterIP: "None", ports: [{ port: 8080 }] } });
    const { spec } = await world.delivered("APIRoute shop/following", (one) =>
      JSON.stringify(one).includes("later:8080"),
    );
    assert.equal(spec["authorization"], undefined);
    await world.delivered("Backend shop/later:8080");
  });

  test("of two that want the same requests the older one has them, and the other when that one goes", async () => {
    await world.create(APIRoute, "shop/first", { spec: { match: at("/same"), route: to("10.0.0.1") } });
    await world.delivered("APIRoute shop/first");
    world.clock.advance(2000);
    await world.create(APIRoute, "bank/second", { spec: { match: at("/same"), route: to("10.0.0.2") } });
    await world.condition(
      APIRoute,
      "bank/second",
      "Ready",
      /False Conflict \/same is APIRoute shop\/first's, which is older/,
    );
    assert.equal(world.catalogue.get("APIRoute bank/second"), undefined);
    await world.user.for(APIRoute).delete({ namespace: "shop", name: "first" });
    await world.delivered("APIRoute bank/second");
  });

  test("gRPC routes lead to gRPC backends, also of Services", async () => {
    await service("shop/calls", { ports: [{ port: 9000 }] });
    await slice("shop/calls-1", "calls", [{ addresses: ["10.3.0.1"] }], [{ name: "", port: 9001 }]);
    await world.create(AvapigwGRPCRoute, "shop/calls", {
      spec: { match: [{ service: { exact: "a.B" } }], route: to("calls", 9000) },
    });
    const { spec } = await world.delivered("GRPCBackend shop/calls:9000");
    assert.equal(hosts(spec), "10.3.0.1:9001*1");
  });

  test("edits of status and metadata deliver nothing", async () => {
    await world.pass(50);
    const { revision } = world.catalogue;
    const ref = { namespace: "bank", name: "second" };
    await world.user.for(APIRoute).patch(ref, { merge: { metadata: { annotations: { a: "b" } } } });
    await world.user.for(APIRoute).status.patch(ref, { merge: { status: { gateways: "9/9" } } });
    await world.pass(50);
    assert.equal(world.catalogue.revision, revision);
  });
});

test("without the Gateway API nobody grants anything, and everything else goes on", async () => {
  await using world = await createRoutingWorld({}, { gatewayApi: false });
  await world.create(core.Service, "bank/vault", { spec: { ports: [{ port: 8080 }] } });
  await world.create(APIRoute, "shop/foreign", { spec: { match: at("/foreign"), route: to("vault.bank") } });
  await world.create(APIRoute, "shop/own", { spec: { match: at("/own"), route: to("10.0.0.1") } });
  await world.delivered("APIRoute shop/own");
  await world.condition(APIRoute, "shop/foreign", "Ready", /False NotPermitted/);
  assert.equal(world.catalogue.complete, true);
  const unready = world.manager.health("ready").filter(({ problem }) => problem !== undefined);
  assert.deepEqual(unready, []);
});
