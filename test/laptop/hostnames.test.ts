import assert from "node:assert/strict";
import { test } from "node:test";
import { iamPolicy } from "@gatewright/hostnames";
import { Application, DomainClaim, GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import { TargetGroupConfiguration } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { visit } from "../local-aws/visit.ts";
import { applyApplication, laptopWorld, NAMESPACE, until, untilReady } from "./laptop-world.ts";
import type { LaptopWorld } from "./laptop-world.ts";

/** The zone and the hostname of the sample that teams know. */
const [ZONE, HOSTNAME] = ["A1231313", "test.opendi.com"];

const at = (name: string) => ({ namespace: NAMESPACE, name });

async function untilLive(client: Client, name: string): Promise<GatewayHostnameRequest> {
  const requests = client.for(GatewayHostnameRequest);
  await until(`${name} is live`, async () => {
    const { metadata, status } = await requests.get(at(name));
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "True" && ready.observedGeneration === metadata.generation;
  }).catch(async (error: unknown) => {
    const { status } = await requests.get(at(name));
    throw new Error(`${String(error)}: ${JSON.stringify(status, undefined, 1)}`);
  });
  return requests.get(at(name)) as Promise<GatewayHostnameRequest>;
}

async function visited(world: LaptopWorld, hostname: string): Promise<number> {
  const { cloud } = world.laptop;
  const endpoint = cloud.endpoints().find(({ port }) => port % 1000 === 443);
  if (endpoint === undefined) throw new Error("nobody serves HTTPS yet");
  const { status } = await visit(hostname, endpoint.port, { dns: cloud.dns, ca: await cloud.caCertificate() });
  return status;
}

test("the sample request goes live: DNS resolves, TLS is trusted, the team's Service answers through its route; and goes again", async () => {
  await using world = await laptopWorld({ zones: new Map([[ZONE, "opendi.com"]]) });
  const { client } = world;
  await client.for(GatewayHostnameRequest).create({
    metadata: at("test"),
    spec: { zoneId: ZONE, hostname: HOSTNAME },
  } as GatewayHostnameRequest);
  await applyApplication(client, { name: "web", version: "v1", replicas: 1 });
  await untilReady(client, "web");
  const { status } = await untilLive(client, "test");
  assert.equal(status?.url, `https://${HOSTNAME}`);
  assert.equal(status.assignedGateway, "gw-01");

  await client.for(TargetGroupConfiguration).apply({
    metadata: at("web"),
    spec: { targetReference: { name: "web" }, defaultConfiguration: { targetType: "ip" } },
  });
  await client.for(HTTPRoute).apply({
    metadata: at("web"),
    spec: {
      parentRefs: [{ name: "gw-01", namespace: "edge" }],
      hostnames: [HOSTNAME],
      rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
    },
  });
  await until("the team's Service answers", async () => (await visited(world, HOSTNAME)) === 200);

  await client.for(HTTPRoute).delete(at("web"));
  await client.for(GatewayHostnameRequest).delete(at("test"));
  await until("nothing is left of it", async () => {
    const claims = (await client.for(DomainClaim).list()).items;
    const requests = (await client.for(GatewayHostnameRequest).list()).items;
    return claims.length === 0 && requests.length === 0;
  });
  assert.deepEqual(world.faults, []);
  const allowed = iamPolicy({ cluster: "laptop" }).Statement.flatMap(({ Action }) => Action);
  const prefixes = new Map([["tagging", "tag"]]);
  const made = world.laptop.cloud.journal
    .calls()
    .filter(({ service }) => ["acm", "route53", "tagging"].includes(service))
    .map(({ service, operation }) => `${prefixes.get(service) ?? service}:${operation}`);
  assert.deepEqual(
    [...new Set(made)].filter((action) => !allowed.includes(action)),
    [],
  );
});

test("an Application with expose alone is live at its URL", async () => {
  await using world = await laptopWorld({ zones: new Map([[ZONE, "opendi.com"]]) });
  const { client } = world;
  await client.for(Application).apply({
    metadata: at("live"),
    spec: {
      image: "gatewright/echo:v1",
      replicas: 1,
      strategy: "RollingUpdate",
      ports: [{ name: "http", port: 80, targetPort: 8080 }],
      expose: { hostname: "live.opendi.com", zoneId: ZONE },
    },
  });
  await until("its URL is told", async () => {
    const { status } = await client.for(Application).get(at("live"));
    return status?.url === "https://live.opendi.com";
  });
  await until("it answers", async () => (await visited(world, "live.opendi.com")) === 200);
  await client.for(Application).delete(at("live"));
  await until("nothing is left of it", async () => (await client.for(DomainClaim).list()).items.length === 0);
  assert.deepEqual(world.faults, []);
});
