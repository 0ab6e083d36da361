import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority } from "@gatewright/apiserver";
import { systemClock, systemRandom } from "@gatewright/ports";
import { Gateway, GatewayClass, HTTPRoute, ListenerSet, LoadBalancerConfiguration } from "@gatewright/resources";
import { loadBalancerWorld, PORT, SECURE_PORT } from "./testing/load-balancer-world.ts";

const EDGE = { namespace: "shop", name: "edge" };
const TO_WEB = { rules: [{ backendRefs: [{ name: "web", port: 80 }] }] };

test("a Gateway and a route let requests in; statuses say so; when it is deleted AWS has nothing left", async (t) => {
  const world = await loadBalancerWorld(t);
  const { client, aws } = world;
  await world.service("web", { "10.244.0.1": true });
  await world.gateway();
  await world.route("web", { hostnames: ["shop.example.com"], ...TO_WEB });
  await world.until("requests are answered", async () => (await world.get("/")).body === "web");
  assert.equal((await world.get("/", { host: "other.example.com" })).status, 404);

  const programmed = async () => {
    const { status } = await client.for(Gateway).get(EDGE);
    return status?.conditions.find(({ type, status: is }) => type === "Programmed" && is === "True");
  };
  await world.until("it is programmed", programmed);
  const { status } = await client.for(Gateway).get(EDGE);
  assert.match(
    (await programmed())?.message ?? "",
    /^arn:aws:elasticloadbalancing:eu-west-1:000000000000:loadbalancer/,
  );
  assert.match(status?.addresses?.[0]?.value ?? "", /^internal-k8s-shop-edge-[0-9a-f]{10}-\d+\.eu-west-1\.elb/);
  assert.deepEqual(
    status?.listeners?.map(({ name, attachedRoutes }) => [name, attachedRoutes]),
    [["http", 1]],
  );
  await world.until("the route is accepted", async () => {
    const route = await client.for(HTTPRoute).get({ namespace: "shop", name: "web" });
    return route.status?.parents[0]?.conditions.every((each) => each.status === "True") === true;
  });

  await client.for(GatewayClass).delete({ name: "alb" });
  await client.for(Gateway).delete(EDGE);
  await world.until("the Gateway is gone", async () => (await client.for(Gateway).find(EDGE)) === undefined);
  assert.deepEqual((await aws.elbv2.describeLoadBalancers({})).LoadBalancers ?? [], []);
  assert.deepEqual((await aws.elbv2.describeTargetGroups({})).TargetGroups ?? [], []);
  await world.until(
    "its class is gone",
    async () => (await client.for(GatewayClass).find({ name: "alb" })) === undefined,
  );
});

test("pods come and go without a lost request, and without a call for anything but targets", async (t) => {
  const world = await loadBalancerWorld(t);
  await world.service("web", { "10.244.0.1": true });
  await world.gateway();
  await world.route("web", TO_WEB);
  await world.until("requests are answered", async () => (await world.get("/")).body === "web");
  await world.until("nothing is left to do", async () => {
    const { status } = await world.client.for(Gateway).get(EDGE);
    return status?.conditions.every((each) => each.status === "True");
  });
  await world.pod("10.244.0.2", "new");
  const before = world.cloud.journal.calls().length;

  let stopped = false;
  const failures: unknown[] = [];
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const { status } = await world.get("/").catch((error: unknown) => ({ status: error }));
        if (status !== 200) failures.push(status);
      }
    }),
  );
  await world.endpoints("web", { "10.244.0.1": true, "10.244.0.2": true });
  await world.until("the new one serves", async () => (await world.get("/")).body === "new");
  await world.endpoints("web", { "10.244.0.1": false, "10.244.0.2": true });
  await world.until("the old one does not", async () => {
    const bodies = await Promise.all(Array.from({ length: 8 }, () => world.get("/")));
    return bodies.every(({ body }) => body === "new");
  });
  stopped = true;
  await load;
  assert.deepEqual(failures, []);
  const calls = world.cloud.journal.calls().slice(before);
  assert.deepEqual(
    calls.map(({ operation }) => operation),
    ["RegisterTargets", "DeregisterTargets"],
  );
});

test("HTTPS waits for a certificate of its hostname, and shows it", async (t) => {
  const world = await loadBalancerWorld(t);
  const { client } = world;
  await world.service("web", { "10.244.0.1": true });
  await world.gateway({ name: "https", port: SECURE_PORT, protocol: "HTTPS", hostname: "shop.example.com" });
  await world.route("web", TO_WEB);
  await world.until("the Gateway says that it cannot be made", async () => {
    const { status } = await world.client.for(Gateway).get(EDGE);
    return status?.conditions.some(
      ({ type, status: is, reason }) => type === "Accepted" && is === "False" && reason === "Invalid",
    );
  });
  assert.deepEqual((await world.aws.elbv2.describeLoadBalancers({})).LoadBalancers ?? [], []);

  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const { certificate, key } = await authority.issueServing(["shop.example.com"]);
  const { CertificateArn } = await world.aws.acm.importCertificate({
    Certificate: Buffer.from(certificate),
    PrivateKey: Buffer.from(key),
  });
  assert.ok(CertificateArn);
  const metadata = { namespace: "shop", name: "edge" };
  await world.client.for(LoadBalancerConfiguration).apply({
    metadata,
    spec: { listenerConfigurations: [{ protocolPort: `HTTPS:${SECURE_PORT}`, defaultCertificate: CertificateArn }] },
  });
  await world.client.for(Gateway).patch(EDGE, {
    merge: {
      spec: {
        infrastructure: {
          parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "edge" },
        },
      },
    },
  });
  await world.until("requests are answered over TLS", async () => {
    const { body } = await world.get("/", { port: SECURE_PORT, ca: authority.certificate });
    return body === "web";
  });

  // Settings that are in use stay until nobody refers to them.
  const settings = client.for(LoadBalancerConfiguration);
  await settings.delete(EDGE);
  await client.for(HTTPRoute).delete({ namespace: "shop", name: "web" });
  await world.until("the listener is closed again", async () => {
    const { status } = await client.for(Gateway).get(EDGE);
    return status?.listeners?.[0]?.attachedRoutes === 0 && world.cloud.endpoints().length === 0;
  });
  assert.ok(await settings.find(EDGE));
  await client.for(Gateway).delete(EDGE);
  await world.until("the settings are gone", async () => (await settings.find(EDGE)) === undefined);
});

test("a ListenerSet adds listeners where the Gateway lets it, and hears when it does not", async (t) => {
  const world = await loadBalancerWorld(t);
  const { client } = world;
  await world.service("web", { "10.244.0.1": true });
  await world.gateway({ hostname: "shop.example.com" });
  const listeners = [{ name: "more", port: PORT, protocol: "HTTP", hostname: "more.example.com" }];
  await client
    .for(ListenerSet)
    .apply({ metadata: { namespace: "shop", name: "more" }, spec: { parentRef: { name: "edge" }, listeners } });
  await world.route("web", { parentRefs: [{ kind: "ListenerSet", name: "more" }], ...TO_WEB });
  const accepted = async (): Promise<string | undefined> => {
    const { status } = await client.for(ListenerSet).get({ namespace: "shop", name: "more" });
    return status?.conditions.find(({ type }) => type === "Accepted")?.reason;
  };
  await world.until("it is refused", async () => (await accepted()) === "NotAllowed");
  const allowedListeners = { namespaces: { from: "Same" } };
  await client.for(Gateway).patch(EDGE, { merge: { spec: { allowedListeners } } });
  await world.until("it is taken", async () => (await accepted()) === "Accepted");
  const get = () => world.get("/", { host: "more.example.com" });
  await world.until("requests are answered", async () => (await get()).body === "web");
  assert.equal((await world.get("/")).status, 404);
  assert.equal((await client.for(Gateway).get(EDGE)).status?.attachedListenerSets, 1);
});
