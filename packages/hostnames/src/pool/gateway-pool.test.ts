import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resource } from "@gatewright/kube";
import {
  Gateway,
  HTTPRoute,
  ListenerRuleConfiguration,
  ListenerSet,
  LoadBalancerConfiguration,
} from "@gatewright/resources";
import { TargetGroupConfiguration } from "@gatewright/resources";
import { gatewayState } from "./gateway-state.ts";
import { arnOf, claim } from "./testing/claims.ts";
import { createPoolWorld } from "./testing/pool-world.ts";

test("the first claim makes the Gateway and all that belongs to it, what is referred to first", async () => {
  await using world = await createPoolWorld();
  await world.put(claim("shop.example.com"));
  const gateway = await world.gatewayWith("gw-01", "shop.example.com");
  assert.deepEqual(world.writes, [
    "PATCH targetgroupconfigurations/gw-01-targets",
    "PATCH loadbalancerconfigurations/gw-01-config",
    "PATCH listenerruleconfigurations/gw-01-fallback",
    "PATCH gateways/gw-01",
    "PATCH httproutes/gw-01-redirect",
    "PATCH httproutes/gw-01-fallback",
  ]);
  assert.equal(gateway.metadata.labels?.["gateway.opendi.com/pool"], "true");
  assert.equal(gateway.metadata.annotations?.["gateway.opendi.com/visibility"], "internet-facing");
  assert.equal(gateway.spec.infrastructure?.parametersRef?.name, "gw-01-config");
  assert.deepEqual(
    gateway.spec.listeners.map(({ name, port, hostname }) => [name, port, hostname]),
    [
      ["http", 80, undefined],
      ["https", 443, undefined],
      ["shop.example.com", 443, "shop.example.com"],
    ],
  );
  assert.deepEqual(gateway.spec.listeners[2]?.allowedRoutes.namespaces, {
    from: "Selector",
    selector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["shop"] }] },
  });
  const configuration = await world.find(LoadBalancerConfiguration, "gw-01-config");
  assert.equal(configuration?.spec?.scheme, "internet-facing");
  assert.equal(configuration?.spec?.listenerConfigurations?.[0]?.sslPolicy, "ELBSecurityPolicy-TLS13-1-2-2021-06");
  assert.deepEqual(await world.certificates("gw-01"), [arnOf("shop.example.com")]);
});

test("what comes within the flush window is one write of each object", async () => {
  await using world = await createPoolWorld();
  const names = Array.from({ length: 12 }, (_, index) => `app${index}.example.com`);
  for (const name of names) await world.put(claim(name));
  const gateway = await world.gatewayWith("gw-01", ...names);
  const configuration = await world.find(LoadBalancerConfiguration, "gw-01-config");
  assert.deepEqual([gateway.metadata.generation, configuration?.metadata.generation], [1, 1]);
  assert.equal(world.writes.filter((write) => write.includes("loadbalancerconfigurations")).length, 1);
  world.writes.length = 0;
  await world.pass(10_000);
  assert.deepEqual(world.writes, [], "nothing is written when nothing has changed");
});

test("only issued certificates are written, and a hostname has no listener before its certificate", async () => {
  await using world = await createPoolWorld();
  world.certificate(arnOf("b.example.com"), { status: "PENDING_VALIDATION" });
  world.certificate(arnOf("c.example.com"), "unknown");
  for (const name of ["a", "b", "c"]) await world.put(claim(`${name}.example.com`));
  await world.gatewayWith("gw-01", "a.example.com");
  assert.deepEqual(await world.certificates("gw-01"), [arnOf("a.example.com")]);
  world.certificate(arnOf("c.example.com"), { status: "ISSUED" });
  await world.gatewayWith("gw-01", "a.example.com", "c.example.com");
  world.certificate(arnOf("c.example.com"), "unknown");
  await world.pass(5_000);
  await world.gatewayWith("gw-01", "a.example.com", "c.example.com");
  world.certificate(arnOf("c.example.com"), "absent");
  await world.until(
    "the end of a certificate that is gone",
    () => world.certificates("gw-01"),
    (all) => all.length === 1,
  );
  await world.gatewayWith("gw-01", "a.example.com");
});

test("without any certificate there is no HTTPS, only the redirect", async () => {
  await using world = await createPoolWorld();
  world.certificate(arnOf("a.example.com"), { status: "PENDING_VALIDATION" });
  await world.put(claim("a.example.com"));
  const gateway = await world.gatewayWith("gw-01");
  assert.deepEqual(
    gateway.spec.listeners.map(({ name }) => name),
    ["http"],
  );
  await world.until("the redirect", () => world.find(HTTPRoute, "gw-01-redirect"));
  assert.equal(await world.find(HTTPRoute, "gw-01-fallback"), undefined);
});

test("a listener goes before its certificate, and the default certificate stays what it is", async () => {
  await using world = await createPoolWorld();
  const [b, a] = [claim("b.example.com"), claim("a.example.com")];
  await world.put(b);
  await world.gatewayWith("gw-01", "b.example.com");
  await world.put(a);
  await world.gatewayWith("gw-01", "a.example.com", "b.example.com");
  assert.deepEqual(await world.certificates("gw-01"), [arnOf("b.example.com"), arnOf("a.example.com")]);

  world.writes.length = 0;
  await world.put({ ...b, status: { ...b.status!, released: { at: "2030-01-01T00:00:00Z", step: "drain" } } });
  await world.pass(5_000);
  assert.deepEqual(world.writes, [], "what resolvers may still remember is served");
  await world.put({ ...b, status: { ...b.status!, released: { at: "2030-01-01T00:00:00Z", step: "listener" } } });
  await world.gatewayWith("gw-01", "a.example.com");
  assert.equal((await world.certificates("gw-01")).length, 2);
  await world.until(
    "the certificate is off",
    () => world.certificates("gw-01"),
    (all) => all.length === 1,
  );
  assert.deepEqual(world.writes, ["PATCH gateways/gw-01", "PATCH loadbalancerconfigurations/gw-01-config"]);
  assert.deepEqual(await world.certificates("gw-01"), [arnOf("a.example.com")]);
});

test("the next certificate of a hostname comes before the one that served goes, and not with the same write", async () => {
  await using world = await createPoolWorld();
  const [a, b] = [claim("a.example.com"), claim("b.example.com")];
  await world.put(a);
  await world.put(b);
  await world.gatewayWith("gw-01", "a.example.com", "b.example.com");
  await world.put({ ...b, status: { ...b.status!, certificate: { arn: arnOf("renewed") } } });
  const all = [arnOf("a.example.com"), arnOf("b.example.com"), arnOf("renewed")];
  await world.until(
    "both are on",
    () => world.certificates("gw-01"),
    (arns) => arns.length === 3,
  );
  assert.deepEqual((await world.certificates("gw-01")).toSorted(), all);
  await world.pass(100_000);
  assert.deepEqual((await world.certificates("gw-01")).toSorted(), all);
  await world.pass(30_000);
  assert.deepEqual(await world.certificates("gw-01"), [arnOf("a.example.com"), arnOf("renewed")]);
});

test("what others change is put right, and an event says so", async () => {
  await using world = await createPoolWorld();
  await world.put(claim("a.example.com"));
  await world.gatewayWith("gw-01", "a.example.com");
  const at = { namespace: "edge", name: "gw-01-config" };
  await world.user.for(LoadBalancerConfiguration).patch(at, { merge: { spec: { scheme: "internal" } } });
  await world.until(
    "the scheme is right again",
    () => world.find(LoadBalancerConfiguration, "gw-01-config"),
    (seen) => seen?.spec?.scheme === "internet-facing",
  );
  await world.user.for(HTTPRoute).delete({ namespace: "edge", name: "gw-01-redirect" });
  await world.until("the redirect is back", () => world.find(HTTPRoute, "gw-01-redirect"));
  await world.user
    .for(Gateway)
    .patch({ namespace: "edge", name: "gw-01" }, { merge: { metadata: { annotations: { theirs: "x" } } } });
  await world.until(
    "the events",
    () => world.told(),
    (told) => told.length === 2,
  );
  world.writes.length = 0;
  await world.pass(5_000);
  assert.deepEqual(world.writes, [], "what is theirs stays theirs");
  assert.match(
    (await world.told()).toSorted().join("\n"),
    /^DriftRepaired HTTPRoute gw-01-redirect was .*\nDriftRepaired LoadBalancerConfiguration gw-01-config was/,
  );
});

test("drift is only told where the settings say so", async () => {
  await using world = await createPoolWorld({ drift: "report" });
  await world.put(claim("a.example.com"));
  await world.gatewayWith("gw-01", "a.example.com");
  await world.until("the redirect", () => world.find(HTTPRoute, "gw-01-redirect"));
  const at = { namespace: "edge", name: "gw-01-config" };
  await world.user.for(LoadBalancerConfiguration).patch(at, { merge: { spec: { ipAddressType: "dualstack" } } });
  const told = await world.until(
    "the event",
    () => world.told(),
    (all) => all.length > 0,
  );
  assert.match(told.join(), /^DriftFound LoadBalancerConfiguration gw-01-config/);
  await world.pass(5_000);
  const configuration = await world.find(LoadBalancerConfiguration, "gw-01-config");
  assert.equal(configuration?.spec?.ipAddressType, "dualstack");
  assert.equal((await world.told()).length, 1);
});

test("a Gateway that has been empty for long enough goes, and what belonged to it when it is really gone", async () => {
  await using world = await createPoolWorld({ removeEmptyAfterMs: 60_000 });
  const a = claim("a.example.com");
  await world.put(a);
  await world.gatewayWith("gw-01", "a.example.com");
  const at = { namespace: "edge", name: "gw-01" };
  await world.user.for(Gateway).patch(at, { merge: { metadata: { finalizers: ["gateway.k8s.aws/alb"] } } });
  await world.drop(a);
  await world.pass(50_000);
  assert.equal((await world.find(Gateway, "gw-01"))?.metadata.deletionTimestamp, undefined);
  await world.until(
    "the deletion",
    () => world.find(Gateway, "gw-01"),
    (seen) => seen?.metadata.deletionTimestamp !== undefined,
  );
  await world.pass(10_000);
  assert.equal(await world.find(HTTPRoute, "gw-01-redirect"), undefined, "load balancers with routes are not deleted");
  assert.ok(await world.find(LoadBalancerConfiguration, "gw-01-config"));
  await world.user.for(Gateway).patch(at, { merge: { metadata: { finalizers: null } } });
  await world.until(
    "the end of its settings",
    () => world.find(LoadBalancerConfiguration, "gw-01-config"),
    (seen) => seen === undefined,
  );
  const settings: readonly [Resource, string][] = [
    [ListenerRuleConfiguration, "gw-01-fallback"],
    [TargetGroupConfiguration, "gw-01-targets"],
  ];
  for (const [kind, name] of settings) {
    await world.until(
      `the end of ${name}`,
      () => world.find(kind, name),
      (seen) => seen === undefined,
    );
  }
});

test("a Gateway that others delete is made again for the hostnames that are placed there", async () => {
  await using world = await createPoolWorld();
  await world.put(claim("a.example.com"));
  const before = await world.gatewayWith("gw-01", "a.example.com");
  await world.user.for(Gateway).delete({ namespace: "edge", name: "gw-01" });
  const now = await world.until(
    "another one",
    () => world.find(Gateway, "gw-01"),
    (seen) => seen !== undefined,
  );
  assert.notEqual(now?.metadata.uid, before.metadata.uid);
});

test("a hostname that redirects has a route of the pool's own, and nobody else can attach one", async () => {
  await using world = await createPoolWorld();
  await world.put(claim("www.example.com", {}, { redirectTo: "example.com" }));
  const gateway = await world.gatewayWith("gw-01", "www.example.com");
  const { selector } = gateway.spec.listeners[2]?.allowedRoutes.namespaces ?? {};
  assert.deepEqual(selector?.matchExpressions?.[0]?.values, ["edge"]);
  const route = await world.until("the redirect", () => world.find(HTTPRoute, "gw-01-www.example.com"));
  assert.deepEqual(route?.spec.rules[0]?.filters?.[0]?.requestRedirect, {
    scheme: "https",
    hostname: "example.com",
    statusCode: 301,
  });
  assert.equal(route?.spec.parentRefs?.[0]?.sectionName, "www.example.com");
});

test("in ListenerSets each hostname has one of its own, and it goes before its certificate", async () => {
  await using world = await createPoolWorld({ listeners: "listener-sets" });
  const [a, b] = [claim("a.example.com"), claim("b.example.com")];
  for (const each of [a, b]) await world.put(each);
  const set = await world.until("the set", () => world.find(ListenerSet, "gw-01-a.example.com"));
  assert.deepEqual([set?.spec.parentRef.name, set?.spec.listeners[0]?.hostname], ["gw-01", "a.example.com"]);
  assert.equal((await world.gatewayWith("gw-01")).spec.allowedListeners?.namespaces.from, "Same");
  await world.until("both", () => world.find(ListenerSet, "gw-01-b.example.com"));
  await world.until("all routes", () => world.find(HTTPRoute, "gw-01-fallback"));
  world.writes.length = 0;
  await world.put({ ...b, status: { ...b.status!, released: { at: "2030-01-01T00:00:00Z", step: "listener" } } });
  await world.until(
    "the certificate is off",
    () => world.certificates("gw-01"),
    (all) => all.length === 1,
  );
  assert.deepEqual(world.writes, [
    "DELETE listenersets/gw-01-b.example.com",
    "PATCH loadbalancerconfigurations/gw-01-config",
  ]);
});

test("with the last hostname HTTPS goes, and only then its certificate", async () => {
  await using world = await createPoolWorld();
  const a = claim("a.example.com");
  await world.put(a);
  await world.gatewayWith("gw-01", "a.example.com");
  await world.until("all routes", () => world.find(HTTPRoute, "gw-01-fallback"));
  world.writes.length = 0;
  await world.put({ ...a, status: { ...a.status!, released: { at: "2030-01-01T00:00:00Z", step: "listener" } } });
  await world.until(
    "the certificate is off",
    () => world.certificates("gw-01"),
    (all) => all.length === 0,
  );
  assert.deepEqual(world.writes, [
    "DELETE httproutes/gw-01-fallback",
    "PATCH gateways/gw-01",
    "DELETE listenerruleconfigurations/gw-01-fallback",
    "PATCH loadbalancerconfigurations/gw-01-config",
  ]);
});

test("a listener that somebody else has applied too can be taken off all the same", async () => {
  await using world = await createPoolWorld();
  const [a, b] = [claim("a.example.com"), claim("b.example.com")];
  for (const each of [a, b]) await world.put(each);
  const { spec } = await world.gatewayWith("gw-01", "a.example.com", "b.example.com");
  await world.user.for(Gateway).apply({ metadata: { namespace: "edge", name: "gw-01" }, spec });
  await world.put({ ...b, status: { ...b.status!, released: { at: "2030-01-01T00:00:00Z", step: "listener" } } });
  await world.gatewayWith("gw-01", "a.example.com");
  await world.until(
    "the certificate is off",
    () => world.certificates("gw-01"),
    (all) => all.length === 1,
  );
});

test("what a Gateway is for stays, whatever somebody writes on it", async () => {
  await using world = await createPoolWorld();
  await world.put(claim("a.example.com", {}, { visibility: "internal" }));
  await world.gatewayWith("gw-01", "a.example.com");
  const annotations = { "gateway.opendi.com/visibility": "internet-facing" };
  await world.user.for(Gateway).patch({ namespace: "edge", name: "gw-01" }, { merge: { metadata: { annotations } } });
  await world.until(
    "the annotation is right again",
    () => world.find(Gateway, "gw-01"),
    (seen) => seen?.metadata.annotations?.["gateway.opendi.com/visibility"] === "internal",
  );
  assert.equal((await world.find(LoadBalancerConfiguration, "gw-01-config"))?.metadata.generation, 1);
});

test("the zone of a load balancer is asked for once, where its name does not tell, and noted on the Gateway", async () => {
  await using world = await createPoolWorld();
  for (const [name, region] of [
    ["gw-01", "eu-west-1"],
    ["gw-02", "mars-1"],
  ] as const) {
    await world.put(claim(`${region}.example.com`, { gateway: name }));
    await world.gatewayWith(name, `${region}.example.com`);
    const addresses = [{ type: "Hostname", value: `${name}.${region}.elb.amazonaws.com` }];
    await world.user.for(Gateway).status.patch({ namespace: "edge", name }, { merge: { status: { addresses } } });
  }
  const zone = "gateway.opendi.com/load-balancer-zone";
  const gateway = await world.until(
    "the zone",
    () => world.find(Gateway, "gw-02"),
    (seen) => seen?.metadata.annotations?.[zone] !== undefined,
  );
  const view = { gateway, configuration: undefined };
  assert.equal(gatewayState(claim("mars-1.example.com"), view).loadBalancer?.zoneId, "ZMARS");
  await world.pass(60_000);
  assert.deepEqual(world.asked, ["gw-02.mars-1.elb.amazonaws.com"]);
  assert.equal((await world.find(Gateway, "gw-01"))?.metadata.annotations?.[zone], undefined);
});

test("an older load balancer controller is spoken to in its own version, without what it does not know", async () => {
  await using world = await createPoolWorld({}, { version: "v1beta1", defaultTargetGroups: false });
  await world.put(claim("a.example.com"));
  await world.gatewayWith("gw-01", "a.example.com");
  await world.until("all routes", () => world.find(HTTPRoute, "gw-01-fallback"));
  assert.deepEqual([...world.versions].toSorted(), ["gateway.k8s.aws/v1beta1", "gateway.networking.k8s.io/v1"]);
  assert.equal(await world.find(TargetGroupConfiguration, "gw-01-targets"), undefined);
  world.writes.length = 0;
  await world.pass(5_000);
  assert.deepEqual(world.writes, []);
});
