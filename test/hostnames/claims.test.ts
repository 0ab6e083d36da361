import assert from "node:assert/strict";
import { test } from "node:test";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { createHostnameWorld, ZONE } from "./hostname-world.ts";
import type { HostnameWorld } from "./hostname-world.ts";

const isReady =
  (hostname: string, { user }: HostnameWorld) =>
  async (): Promise<boolean> => {
    const claim = await user.for(DomainClaim).find({ name: hostname });
    return claim?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
  };

async function request({ user }: HostnameWorld, hostname: string): Promise<void> {
  const name = hostname.replaceAll(".", "-");
  await user
    .for(GatewayHostnameRequest)
    .apply({ metadata: { namespace: "shop", name }, spec: { zoneId: ZONE, hostname } });
}

/** Names and types of the records that are not the zone's own. */
async function records(world: HostnameWorld): Promise<readonly string[]> {
  const { ResourceRecordSets } = await world.ask((aws) => aws.route53.listResourceRecordSets({ HostedZoneId: ZONE }));
  return ResourceRecordSets.filter(({ Type }) => Type !== "SOA" && Type !== "NS")
    .map(({ Name, Type }) => `${Type} ${Name.replace(/^_[^.]+/, "_")}`)
    .toSorted();
}

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function certificates(world: HostnameWorld): Promise<number> {
  return (await world.ask(async (aws) => collected(aws.acm.allCertificates({})))).length;
}

/** Listings may lag a little behind. */
async function nothingIsLeft(world: HostnameWorld): Promise<void> {
  await world.until("nothing is left", async () => {
    return (await records(world)).length === 0 && (await certificates(world)) === 0;
  });
}

test("on AWS as it is: two requests become live hostnames with one certificate, and go without a trace", async () => {
  await using world = await createHostnameWorld();
  await request(world, "a.example.com");
  await request(world, "b.example.com");
  await world.until("a is ready", isReady("a.example.com", world));
  await world.until("b is ready", isReady("b.example.com", world));
  assert.equal(await certificates(world), 1);
  assert.deepEqual(await records(world), [
    "A a.example.com.",
    "A b.example.com.",
    "CNAME _.a.example.com.",
    "CNAME _.b.example.com.",
  ]);
  for (const name of ["a-example-com", "b-example-com"]) {
    await world.user.for(GatewayHostnameRequest).delete({ namespace: "shop", name });
  }
  await world.until("both are gone", async () => (await world.user.for(DomainClaim).list()).items.length === 0);
  await nothingIsLeft(world);
});

test("on AWS as it is: a process that crashes all the time makes nothing twice and leaves nothing behind", async () => {
  await using world = await createHostnameWorld();
  await request(world, "a.example.com");
  // What is found done already counts as known everywhere after a minute: that long a process has to live now and then.
  const lives = [3_000, 9_000, 2_000, 80_000, 5_000, 13_000];
  let [life, crashAt] = [0, world.clock.monotonic() + 3_000];
  const settle = (what: string, look: () => Promise<boolean>): Promise<boolean> =>
    world.until(what, async () => {
      if (world.clock.monotonic() >= crashAt) {
        world.crash();
        crashAt = world.clock.monotonic() + lives[++life % lives.length]!;
      }
      return look();
    });
  await settle("a is ready", isReady("a.example.com", world));
  assert.equal(await certificates(world), 1);
  await world.user.for(GatewayHostnameRequest).delete({ namespace: "shop", name: "a-example-com" });
  await settle("it is gone", async () => (await world.user.for(DomainClaim).list()).items.length === 0);
  await nothingIsLeft(world);
});
