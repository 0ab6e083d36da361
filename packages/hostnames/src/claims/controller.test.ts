import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { DomainClaim, LoadBalancerConfiguration } from "@gatewright/resources";
import { claimName } from "../names/index.ts";
import { POOL_LABEL } from "../pool/pool-names.ts";
import { PoolRuns } from "../pool/pool-runs.ts";
import type { Claim } from "./claim.ts";
import { conditionOf, createClaimWorld } from "./testing/claim-world.ts";

const STEPS = [
  "Claimed",
  "CertificateRequested",
  "DnsValidated",
  "CertificateIssued",
  "ListenerAttached",
  "DnsAliasReady",
  "Ready",
];
const shop = "shop.example.com";

test("a claim gets a certificate, its validation record, a Gateway and an alias, and serves", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  const { status } = await world.untilReady(shop);
  assert.equal(status?.gateway, "gw-01");
  assert.equal(world.certificates.requests.length, 1);
  assert.deepEqual(world.zones.changes, [`create _proof.${shop} CNAME`, `create ${shop} A`]);
  const conditions = status?.conditions?.map(({ type, status: is }) => `${type} ${is}`);
  assert.deepEqual(
    conditions,
    STEPS.map((type) => `${type} True`),
  );
});

test("a claim that goes leaves nothing behind, and its alias goes first", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  await world.untilReady(shop);
  await world.remove(shop);
  assert.deepEqual([...world.zones.records.keys()], []);
  assert.equal(world.certificates.all.size, 0);
  assert.deepEqual(world.zones.changes.slice(2), [`delete ${shop} A`, `delete _proof.${shop} CNAME`]);
});

test("a certificate stays while a load balancer is still to get it, though no listener and no use of it show that", async () => {
  const runs = new PoolRuns();
  await using world = await createClaimWorld({}, { runs });
  await world.claim("first.example.com");
  await world.untilReady("first.example.com");
  world.pool = false;
  await world.claim(shop, { certificate: { strategy: "Single" } });
  const placed = await world.untilClaim(shop, ({ status }) => status?.gateway !== undefined);
  const arn = placed.status?.certificate?.arn ?? "";
  const writing = Promise.withResolvers<void>();
  const run = runs.during(() => writing.promise);
  const atCertificate = ({ status }: Claim): boolean => status?.released?.step === "certificate";
  await world.user.for(DomainClaim).delete({ name: claimName(shop) });
  await world.untilClaim(shop, atCertificate);
  await world.pass(60_000);
  assert.ok(world.certificates.all.has(arn), "the pool is about to write what it saw before");
  const named = (certificates: string[]) =>
    world.user.for(LoadBalancerConfiguration).apply({
      metadata: { namespace: "edge", name: "gw-01-config", labels: { [POOL_LABEL]: "true" } },
      spec: { listenerConfigurations: [{ protocolPort: "HTTPS:443", certificates }] },
    });
  await named([arn]);
  writing.resolve();
  await run;
  await world.pass(60_000);
  assert.ok(world.certificates.all.has(arn), "the load balancer controller is about to ask for it");
  assert.match(conditionOf((await world.get(shop))!, "Ready")?.message ?? "", /in use by a load balancer/);
  await named([]);
  await world.until(
    "the end of the claim",
    () => world.get(shop),
    (seen) => seen === undefined,
  );
  assert.equal(world.certificates.all.has(arn), false);
});

test("names that need a certificate at the same time share one, and the last one removes it", async () => {
  await using world = await createClaimWorld();
  const names = ["a.example.com", "b.example.com", "c.example.com"];
  for (const name of names) await world.claim(name);
  for (const name of names) await world.untilReady(name);
  assert.deepEqual(
    world.certificates.requests.map((request) => request.names),
    [names],
  );
  await world.remove("a.example.com");
  await world.remove("b.example.com");
  assert.equal(world.certificates.all.size, 1);
  assert.ok(world.zones.records.has("_proof.a.example.com CNAME "), "the certificate still has the name");
  await world.remove("c.example.com");
  assert.equal(world.certificates.all.size, 0);
  assert.deepEqual([...world.zones.records.keys()], []);
});

test("a name whose bundle cannot be validated any more gets a certificate without the lost name", async () => {
  await using world = await createClaimWorld();
  world.certificates.stuck = true;
  await world.claim("a.example.com");
  await world.claim("b.example.com");
  await world.until(
    "the request",
    () => world.certificates.all.size,
    (size) => size === 1,
  );
  await world.remove("b.example.com");
  world.certificates.stuck = false;
  const claim = await world.untilReady("a.example.com");
  const arn = claim.status?.certificate?.arn ?? "";
  assert.deepEqual(world.certificates.all.get(arn)?.names, ["a.example.com"]);
});

test("a name that cannot be validated takes nobody with it, neither those who shared its certificate nor those who come later", async () => {
  await using world = await createClaimWorld();
  world.certificates.forbidden.add("bad.example.com");
  await world.claim("a.example.com");
  await world.claim("bad.example.com");
  const shared = await world.untilReady("a.example.com");
  assert.deepEqual(shared.status?.certificate?.request?.names, ["a.example.com"]);
  await world.untilClaim("bad.example.com", (claim) => conditionOf(claim, "Ready")?.reason === "CertificateFailed");
  await world.claim("later.example.com");
  const later = await world.untilReady("later.example.com");
  assert.deepEqual(later.status?.certificate?.request?.names, ["later.example.com"]);
});

test("names that share a certificate with one that is never proven go on without it after a while", async () => {
  await using world = await createClaimWorld();
  const names = ["a.example.com", "b.example.com", "elsewhere.example.com"];
  world.certificates.unseen.add("elsewhere.example.com");
  for (const name of names) await world.claim(name);
  await world.untilClaim("a.example.com", (claim) => conditionOf(claim, "Ready")?.reason === "PendingIssuance");
  world.clock.advance(600_000);
  const ready = await world.untilReady("a.example.com");
  await world.untilReady("b.example.com");
  assert.deepEqual(ready.status?.certificate?.request?.names, ["a.example.com", "b.example.com"]);
  const other = await world.get("elsewhere.example.com");
  assert.match(conditionOf(other!, "Ready")?.message ?? "", /waited long for elsewhere\.example\.com/);
  world.certificates.unseen.clear();
  await world.untilReady("elsewhere.example.com");
});

test("a name that is too long for a certificate of its own shares that of the next that needs one", async () => {
  await using world = await createClaimWorld();
  const long = `${"a".repeat(63)}.example.com`;
  await world.claim(long);
  await world.untilClaim(long, (claim) => conditionOf(claim, "Ready")?.reason === "HostnameTooLong");
  const before = world.clock.now();
  await world.claim(shop);
  await world.untilReady(shop);
  await world.untilReady(long);
  assert.ok(world.clock.now() - before < 300_000, "it is woken, and not only looked at again after five minutes");
  assert.deepEqual(
    world.certificates.requests.map(({ names }) => names),
    [[shop, long]],
  );
});

test("a name that brings its certificate waits with nobody, also while that cannot be used", async () => {
  await using world = await createClaimWorld();
  const arn = "arn:aws:acm:eu-central-1:123456789012:certificate/own";
  await world.claim("b.example.com", { certificate: { arn } });
  await world.claim("a.example.com");
  await world.untilReady("a.example.com");
  assert.deepEqual(
    world.certificates.requests.map(({ names }) => names),
    [["a.example.com"]],
  );
});

test("a certificate that somebody imported is not reused: ACM does not renew it, and may not be who signed it", async () => {
  await using world = await createClaimWorld();
  world.certificates.set("arn:imported", { names: ["*.example.com"], type: "IMPORTED" });
  await world.claim(shop);
  const ready = await world.untilReady(shop);
  assert.notEqual(ready.status?.certificate?.arn, "arn:imported");
});

test("a certificate that covers the name is reused, and never deleted when it is not ours", async () => {
  await using world = await createClaimWorld();
  world.certificates.set("arn:foreign", { names: ["*.example.com"] });
  await world.claim(shop);
  const claim = await world.untilReady(shop);
  assert.deepEqual(claim.status?.certificate, { arn: "arn:foreign", adopted: true });
  assert.deepEqual(world.certificates.requests, []);
  await world.remove(shop);
  assert.ok(world.certificates.all.has("arn:foreign"));
});

test("siblings of a wildcard need no certificate of their own", async () => {
  await using world = await createClaimWorld();
  await world.claim("a.example.com", { certificate: { strategy: "Wildcard" } });
  await world.claim("b.example.com", { certificate: { strategy: "Wildcard" } });
  await world.untilReady("a.example.com");
  await world.untilReady("b.example.com");
  await world.claim("c.example.com");
  await world.untilReady("c.example.com");
  assert.deepEqual(
    world.certificates.requests.map(({ names }) => names),
    [["*.example.com"]],
  );
});

test("a record that somebody else made is not overwritten, unless that is asked for", async () => {
  await using world = await createClaimWorld();
  world.zones.records.set(`${shop} A `, { name: shop, type: "A", ttl: 60, values: ["192.0.2.1"] });
  await world.claim(shop);
  const refused = await world.untilClaim(shop, (claim) => conditionOf(claim, "Ready")?.reason === "RecordConflict");
  assert.match(conditionOf(refused, "DnsAliasReady")?.message ?? "", /192\.0\.2\.1/);
  const wish = { ...refused.spec.wish, dns: { evaluateTargetHealth: true, adopt: true } };
  await world.user.for(DomainClaim).patch({ name: claimName(shop) }, { merge: { spec: { wish } } });
  await world.untilReady(shop);
  assert.ok(world.zones.records.get(`${shop} A `)?.alias);
});

test("a validation record that is there with another ttl does, and is nobody's to change or to remove", async () => {
  await using world = await createClaimWorld();
  const proof = { name: `_proof.${shop}`, type: "CNAME", ttl: 60, values: [`${shop}.acm-validations.aws`] };
  world.zones.records.set(`${proof.name} CNAME `, proof);
  await world.claim(shop);
  await world.untilReady(shop);
  world.zones.read("Z1");
  await world.pass(10_000);
  await world.untilReady(shop);
  await world.remove(shop);
  assert.equal(world.zones.records.get(`${proof.name} CNAME `), proof);
});

test("a hostname moves to another Gateway without a moment in which nobody serves it", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  await world.untilReady(shop);
  const moving = { merge: { spec: { wish: { visibility: "internal" } } } };
  await world.user.for(DomainClaim).patch({ name: claimName(shop) }, moving);
  const begun = await world.untilClaim(shop, ({ status }) => status?.gateway === "gw-02");
  assert.deepEqual(
    begun.status?.leaving?.map(({ gateway }) => gateway),
    ["gw-01"],
  );
  const swapped = await world.untilClaim(shop, ({ status }) => status?.leaving?.[0]?.loadBalancer === undefined);
  assert.equal(conditionOf(swapped, "Ready")?.status, "True");
  assert.equal(world.zones.records.get(`${shop} A `)?.alias?.dnsName, "gw-02.eu-west-1.elb.amazonaws.com");
  const at = world.clock.now();
  await world.untilClaim(shop, ({ status }) => status?.leaving === undefined);
  assert.ok(world.clock.now() - at >= 60_000, "resolvers had time to forget");
  assert.deepEqual(world.zones.changes.slice(2), [`replace ${shop} A`]);
});

test("a record that somebody else removes is put back", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  await world.untilReady(shop);
  world.zones.records.delete(`${shop} A `);
  world.zones.read("Z1");
  await world.until("the repair", () => world.zones.records.has(`${shop} A `), Boolean);
});

test("where drift is only reported, a changed record stays and the claim says so", async () => {
  await using world = await createClaimWorld({ drift: "report" });
  await world.claim(shop);
  await world.untilReady(shop);
  const other = { name: shop, type: "A", ttl: 60, values: ["192.0.2.1"] };
  world.zones.records.set(`${shop} A `, other);
  world.zones.read("Z1");
  await world.untilClaim(shop, (claim) => conditionOf(claim, "Ready")?.reason === "RecordDrifted");
  await world.pass(10_000);
  assert.equal(world.zones.records.get(`${shop} A `), other);
});

test("a certificate that fails is requested again after a pause, and the failed one is not forgotten meanwhile", async () => {
  await using world = await createClaimWorld();
  world.certificates.stuck = true;
  await world.claim(shop);
  await world.until(
    "the request",
    () => world.certificates.all.size,
    (size) => size === 1,
  );
  const [arn = ""] = world.certificates.all.keys();
  world.certificates.set(arn, { status: "FAILED", failureReason: "CAA_ERROR" });
  const failed = await world.untilClaim(shop, (claim) => conditionOf(claim, "Ready")?.reason === "CertificateFailed");
  assert.match(conditionOf(failed, "Ready")?.message ?? "", /CAA_ERROR/);
  assert.equal(world.certificates.requests.length, 1);
  world.certificates.stuck = false;
  world.clock.advance(900_000);
  const ready = await world.untilReady(shop);
  assert.equal(ready.status?.certificate?.request?.attempt, 2);
});

test("an expired certificate stays on the Gateway until the next one is issued", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  const before = await world.untilReady(shop);
  const old = before.status?.certificate?.arn ?? "";
  world.certificates.stuck = true;
  world.clock.advance(1_000_000);
  world.certificates.set(old, { status: "EXPIRED" });
  await world.until(
    "the second request",
    () => world.certificates.requests.length,
    (count) => count === 2,
  );
  await world.pass(20_000);
  assert.equal((await world.get(shop))?.status?.certificate?.arn, old);
  world.certificates.stuck = false;
  await world.untilClaim(shop, ({ status }) => status?.certificate?.arn !== old);
  await world.untilReady(shop);
});

test("another strategy replaces the certificate while the hostname is served, and the old one goes later", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop, { certificate: { strategy: "Single" } });
  const before = (await world.untilReady(shop)).status?.certificate?.arn;
  world.certificates.stuck = true;
  const wildcard = { merge: { spec: { wish: { certificate: { strategy: "Wildcard" } } } } };
  await world.user.for(DomainClaim).patch({ name: claimName(shop) }, wildcard);
  await world.until(
    "the next request",
    () => world.certificates.requests.map(({ names }) => names.join(" ")),
    (names) => names.includes("*.example.com"),
  );
  const meanwhile = await world.untilClaim(
    shop,
    ({ metadata, status }) => status?.observedGeneration === metadata.generation,
  );
  assert.equal(conditionOf(meanwhile, "Ready")?.status, "True");
  assert.equal(meanwhile.status?.certificate?.arn, before);
  world.certificates.stuck = false;
  const replaced = await world.untilClaim(shop, ({ status }) => status?.certificate?.arn !== before);
  assert.deepEqual(world.certificates.all.get(replaced.status?.certificate?.arn ?? "")?.names, ["*.example.com"]);
  assert.equal(conditionOf(replaced, "Ready")?.status, "True");
  assert.ok(world.zones.records.has("_proof.example.com CNAME "));
  world.certificates.set(before ?? "", { inUse: false });
  for (let minutes = 0; minutes < 90; minutes++) {
    world.clock.advance(60_000);
    await world.pass(250);
  }
  assert.equal(world.certificates.all.has(before ?? ""), false);
});

test("a certificate that somebody deletes is requested anew", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  const { status } = await world.untilReady(shop);
  world.certificates.set(status?.certificate?.arn ?? "", undefined);
  await world.untilClaim(shop, (claim) => claim.status?.certificate?.arn !== status?.certificate?.arn);
  await world.untilReady(shop);
  assert.equal(world.certificates.requests.length, 2);
});

test("a wildcard and a name below it cannot belong to two namespaces; the second is held when the first goes", async () => {
  await using world = await createClaimWorld();
  await world.claim("*.example.com");
  await world.untilReady("*.example.com");
  await world.claim(shop, {}, "bank");
  const denied = await world.untilClaim(shop, (claim) => conditionOf(claim, "Denied")?.status === "True");
  assert.match(conditionOf(denied, "Denied")?.message ?? "", /namespace shop/);
  await world.remove("*.example.com");
  await world.untilReady(shop);
});

test("what is retained stays in AWS as it is", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop, { deletionPolicy: "Retain" });
  await world.untilReady(shop);
  await world.remove(shop);
  assert.deepEqual([...world.zones.records.keys()], [`_proof.${shop} CNAME `, `${shop} A `]);
  assert.equal(world.certificates.all.size, 1);
});

test("many deletions at once are held until a person says that they are meant", async () => {
  await using world = await createClaimWorld({ brake: { deletions: 1, windowMs: 600_000 } });
  const names = ["a.example.com", "b.example.com", "c.example.com"];
  for (const name of names) await world.claim(name);
  for (const name of names) await world.untilReady(name);
  for (const name of names) await world.user.for(DomainClaim).delete({ name });
  const held = names.slice(1);
  for (const name of held) {
    await world.untilClaim(name, (claim) => conditionOf(claim, "Ready")?.reason === "DeletionHeld");
  }
  await world.until(
    "the end of the first",
    () => world.get("a.example.com"),
    (seen) => seen === undefined,
  );
  for (const name of held) assert.ok(world.zones.records.has(`${name} A `), "it serves meanwhile");
  const annotations = { "gateway.opendi.com/allow-deletions-until": "2030-02-01T00:00:00Z" };
  await world.user.for(core.Namespace).patch({ name: "edge" }, { merge: { metadata: { annotations } } });
  for (const name of held)
    await world.until(
      "its end",
      () => world.get(name),
      (seen) => seen === undefined,
    );
});

test("a process that ends again and again makes nothing twice and leaves nothing behind", async () => {
  await using world = await createClaimWorld();
  const names = ["a.example.com", "b.example.com"];
  for (const name of names) await world.claim(name);
  const isReady = async (): Promise<boolean> => {
    const claims = await Promise.all(names.map((name) => world.get(name)));
    return claims.every((claim) => claim !== undefined && conditionOf(claim, "Ready")?.status === "True");
  };
  for (let lives = 0; !(await isReady()); lives++) {
    assert.ok(lives < 200);
    await world.pass(1_250 + 250 * (lives % 7));
    await world.restart();
  }
  const carried = world.certificates.requests.flatMap((request) => request.names);
  assert.deepEqual(carried.toSorted(), names);
  for (const name of names) await world.user.for(DomainClaim).delete({ name });
  for (let lives = 0; (await Promise.all(names.map((name) => world.get(name)))).some(Boolean); lives++) {
    assert.ok(lives < 200);
    await world.pass(1_250 + 250 * (lives % 7));
    await world.restart();
  }
  assert.equal(world.certificates.all.size, 0);
  assert.deepEqual([...world.zones.records.keys()], []);
});

test("names that come later are not in the certificates of those that are served already", async () => {
  await using world = await createClaimWorld();
  await world.claim("a.example.com");
  await world.untilReady("a.example.com");
  await world.claim("b.example.com");
  await world.untilReady("b.example.com");
  assert.deepEqual(
    world.certificates.requests.map(({ names }) => names),
    [["a.example.com"], ["b.example.com"]],
  );
});

test("a certificate that no claim uses any more goes after an hour, with its record", async () => {
  await using world = await createClaimWorld();
  await world.claim(shop);
  await world.untilReady(shop);
  await world.user.for(DomainClaim).patch({ name: shop }, { merge: { metadata: { finalizers: [] } } });
  await world.user.for(DomainClaim).delete({ name: shop });
  await world.pass(2_000);
  assert.equal(world.certificates.all.size, 1, "not at once");
  for (let minutes = 0; minutes < 90; minutes++) {
    world.clock.advance(60_000);
    await world.pass(250);
  }
  assert.equal(world.certificates.all.size, 0);
  assert.ok(!world.zones.records.has(`_proof.${shop} CNAME `));
});
