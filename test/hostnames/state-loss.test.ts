import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { DomainClaim, Gateway, GatewayHostnameRequest, HostnameGrant } from "@gatewright/resources";
import { createHostnameWorld, ZONE } from "./hostname-world.ts";
import type { HostnameWorld } from "./hostname-world.ts";

const NAMES = ["a.example.com", "b.example.com"];
const at = (hostname: string) => ({ namespace: "shop", name: hostname.replaceAll(".", "-") });

/** What AWS has of it: records with where they lead, and certificates. */
async function made(world: HostnameWorld): Promise<object> {
  const { ResourceRecordSets } = await world.ask((aws) => aws.route53.listResourceRecordSets({ HostedZoneId: ZONE }));
  const certificates = await world.ask(async (aws) => {
    const arns: string[] = [];
    for await (const { CertificateArn } of aws.acm.allCertificates({})) arns.push(CertificateArn ?? "");
    return arns.sort();
  });
  const records = ResourceRecordSets.map(
    ({ Name, Type, AliasTarget }) => `${Type} ${Name} ${AliasTarget?.DNSName ?? ""}`,
  ).sort();
  return { certificates, records };
}

const readyAt =
  ({ user }: HostnameWorld, hostname: string) =>
  async () => {
    const request = await user.for(GatewayHostnameRequest).find(at(hostname));
    const ready = request?.status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.observedGeneration === request?.metadata.generation ? `${ready?.status} ${ready?.reason}` : "";
  };

async function live(world: HostnameWorld): Promise<void> {
  for (const hostname of NAMES)
    await world.until(`${hostname} is ready`, readyAt(world, hostname), (seen) => seen === "True Serving");
}

async function begin(): Promise<HostnameWorld> {
  const world = await createHostnameWorld();
  for (const hostname of NAMES)
    await world.user.for(GatewayHostnameRequest).apply({ metadata: at(hostname), spec: { zoneId: ZONE, hostname } });
  await live(world);
  return world;
}

/** As somebody does who has lost what the API server knew: nobody is asked, nothing is taken apart. */
async function lose(
  { user }: HostnameWorld,
  resource: Resource,
  { metadata: { namespace, name = "" } }: Immutable<ApiObject>,
): Promise<void> {
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  await user.for(resource).patch(ref, { merge: { metadata: { finalizers: null } } });
  await user.for(resource).delete(ref);
}

async function loseAll(world: HostnameWorld, resource: Resource): Promise<void> {
  for (const object of (await world.user.for(resource).list()).items) await lose(world, resource, object);
}

test("an operator that finds no status finds what it made, and makes nothing twice", async () => {
  await using world = await begin();
  const before = await made(world);
  const requested = world.calls("RequestCertificate");
  await world.whileDown(async () => {
    for (const kind of [DomainClaim, GatewayHostnameRequest] as readonly Resource[])
      for (const { metadata } of (await world.user.for(kind).list()).items) {
        const { namespace, name = "" } = metadata;
        const ref = { name, ...(namespace !== undefined && { namespace }) };
        await world.user.for(kind).status.patch(ref, { merge: { status: null } });
      }
  });
  await live(world);
  assert.deepEqual(await made(world), before);
  assert.equal(world.calls("RequestCertificate"), requested);
});

test("requests that are restored from a backup, without claims and grants, get what was theirs", async () => {
  await using world = await begin();
  const before = await made(world);
  const requested = world.calls("RequestCertificate");
  await world.whileDown(async () => {
    const requests = (await world.user.for(GatewayHostnameRequest).list()).items;
    for (const kind of [GatewayHostnameRequest, DomainClaim, HostnameGrant]) await loseAll(world, kind);
    for (const { metadata, spec } of requests)
      await world.user
        .for(GatewayHostnameRequest)
        .create({ metadata: { namespace: metadata.namespace ?? "", name: metadata.name ?? "" }, spec });
  });
  await live(world);
  assert.deepEqual(await made(world), before);
  assert.equal(world.calls("RequestCertificate"), requested);
  const [grant] = (await world.user.for(HostnameGrant).list({ namespace: "shop" })).items;
  assert.deepEqual(grant?.spec.hostnames, NAMES);
});

test("where the Gateways are lost, too, certificates are used again, and records follow once that is allowed", async () => {
  await using world = await begin();
  const requested = world.calls("RequestCertificate");
  const { certificates } = (await made(world)) as { certificates: readonly string[] };
  await world.whileDown(async () => {
    const requests = (await world.user.for(GatewayHostnameRequest).list()).items;
    for (const kind of [GatewayHostnameRequest, DomainClaim, HostnameGrant, Gateway]) await loseAll(world, kind);
    for (const { metadata, spec } of requests)
      await world.user
        .for(GatewayHostnameRequest)
        .create({ metadata: { namespace: metadata.namespace ?? "", name: metadata.name ?? "" }, spec });
  });
  // The records lead to load balancers of another life: whose they are, nobody can tell.
  for (const hostname of NAMES) {
    await world.until(`${hostname} says so`, readyAt(world, hostname), (seen) => seen === "False RecordConflict");
    await world.user.for(GatewayHostnameRequest).patch(at(hostname), { merge: { spec: { dns: { adopt: true } } } });
  }
  await live(world);
  assert.deepEqual(((await made(world)) as { certificates: readonly string[] }).certificates, certificates);
  assert.equal(world.calls("RequestCertificate"), requested);
});
