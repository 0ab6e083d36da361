import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { core } from "@gatewright/kube/api";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import type { Request } from "./observation.ts";
import { createRequestWorld, refOf } from "./testing/request-world.ts";
import type { RequestWorld } from "./testing/request-world.ts";

const condition = ({ status }: Request, type: string) => status?.conditions?.find((each) => each.type === type);
const isReady = (request: Request) => condition(request, "Ready")?.status === "True";
const isDenied = (request: Request) => condition(request, "Denied")?.status === "True";
const reason = (wanted: string) => (request: Request) => condition(request, "Ready")?.reason === wanted;

suite("requests for hostnames", () => {
  let world: RequestWorld;
  before(async () => {
    world = await createRequestWorld({ allowedDomains: ["example.com", "opendi.com"] });
  });
  after(() => world[Symbol.asyncDispose]());

  const remove = (ref: string) => world.user.for(GatewayHostnameRequest).delete(refOf(ref));
  const claimOf = (name: string) => world.user.for(DomainClaim).find({ name });

  test("a request claims its hostname in one form, whatever its case and dot, and mirrors how the claim is", async () => {
    const { metadata } = await world.ask("a/shop", "Shop.Example.COM.", {
      environment: "prod",
      routePolicy: { namespaces: ["partner", "a"] },
      certificate: { strategy: "Single" },
    });
    const claim = await world.claim("shop.example.com");
    assert.deepEqual(claim.spec, {
      zoneId: "Z1",
      hostname: "shop.example.com",
      ownerRef: { namespace: "a", name: "shop", uid: metadata.uid },
      wish: {
        environment: "prod",
        visibility: "internet-facing",
        gatewayClass: "aws-alb",
        namespaces: ["a", "partner"],
        certificate: { strategy: "Single" },
        deletionPolicy: "Delete",
      },
    });
    const claiming = await world.request("a/shop", reason("Claiming"));
    assert.deepEqual(claiming.metadata.finalizers, ["gateway-orchestrator.opendi.com/finalizer"]);
    assert.equal(claiming.status?.url, undefined);
    await world.serve("shop.example.com", {
      gateway: "gw-01",
      certificate: { arn: "arn:aws:acm:eu-central-1:123456789012:certificate/1" },
      loadBalancer: { dnsName: "lb.elb.amazonaws.com", zoneId: "ZLB", dualStack: false },
    });
    const { status } = await world.request("a/shop", isReady);
    const { conditions, ...facts } = status ?? {};
    assert.deepEqual(facts, {
      observedGeneration: 1,
      hostname: "shop.example.com",
      claim: "shop.example.com",
      assignedGateway: "gw-01",
      assignedGatewayNamespace: "edge",
      assignedLoadBalancer: "lb.elb.amazonaws.com",
      certificateArn: "arn:aws:acm:eu-central-1:123456789012:certificate/1",
      url: "https://shop.example.com",
      hostnames: ["shop.example.com"],
      parents: [{ kind: "Gateway", namespace: "edge", name: "gw-01" }],
    });
    assert.deepEqual(
      conditions?.map(({ type, status: value, reason: why, observedGeneration }) => [
        type,
        value,
        why,
        observedGeneration,
      ]),
      [
        ["Claimed", "True", "Claimed", 1],
        ["Ready", "True", "Serving", 1],
      ],
    );
    await world.until(
      "events",
      () => world.told("a/shop"),
      (told) => told.length === 2,
    );
  });

  test("nothing is written while nothing changes", async () => {
    const versions = async () => {
      const request = await world.user.for(GatewayHostnameRequest).get(refOf("a/shop"));
      const claim = await world.user.for(DomainClaim).get({ name: "shop.example.com" });
      return [request.metadata.resourceVersion, claim.metadata.resourceVersion];
    };
    const then = await versions();
    await world.pass(60_000);
    assert.deepEqual(await versions(), then);
  });

  test("a changed wish reaches the claim as a whole, and the request is not ready for it before the claim is", async () => {
    await world.change("a/shop", { certificate: null, visibility: "internal" });
    const claim = await world.claim("shop.example.com", ({ spec }) => spec.wish?.visibility === "internal");
    assert.equal(claim.spec.wish?.certificate, undefined);
    await world.request("a/shop", reason("Updating"));
    await world.serve("shop.example.com");
    const ready = await world.request("a/shop", isReady);
    assert.equal(condition(ready, "Ready")?.observedGeneration, 2);
  });

  test("what is wrong with a hostname is told once to its request and to whoever made that; what takes its time is not", async () => {
    const uid = "0b1f1ff9-7f55-4b3f-9d0c-1f6b5f6f7a01";
    const metadata = {
      ...refOf("a/front"),
      ownerReferences: [{ apiVersion: "example.com/v1", kind: "Site", name: "owner", uid, controller: true }],
    };
    const spec = { zoneId: "Z1", hostname: "front.example.com" } as GatewayHostnameRequest["spec"];
    await world.user.for(GatewayHostnameRequest).create({ metadata, spec });
    const becomes = async (why: string) => {
      await world.serve("front.example.com", {}, { Claimed: ["True", "Claimed"], Ready: ["False", why] });
      await world.request("a/front", reason(why));
    };
    await becomes("PendingIssuance");
    await becomes("CertificateFailed");
    await world.change("a/front", { environment: "dev" });
    await world.request("a/front", ({ status }) => status?.observedGeneration === 2);
    await becomes("WaitingForGateway");
    const told = async () => [await world.told("a/front"), await world.told("a/owner")];
    await world.until("events", told, ([, owner]) => owner?.length === 1);
    await world.pass(60_000);
    assert.deepEqual(await told(), [["Claimed", "CertificateFailed"], ["CertificateFailed"]]);
    await remove("a/front");
    await world.letGo("front.example.com");
  });

  test("a certificate that cannot be renewed is told, though the hostname is served", async () => {
    await world.ask("a/renewing", "renewing.example.com");
    await world.serve("renewing.example.com");
    await world.request("a/renewing", isReady);
    const failing = { Claimed: ["True", "Claimed"], Ready: ["True", "RenewalFails"] } as const;
    await world.serve("renewing.example.com", {}, failing);
    await world.until(
      "events",
      () => world.told("a/renewing"),
      (told) => told.includes("RenewalFails"),
    );
  });

  test("a second namespace that asks for a claimed hostname is denied, told by whom, and gets it when it is free", async () => {
    await world.ask("a/first", "mine.example.com");
    await world.claim("mine.example.com");
    await world.ask("b/second", "MINE.example.com.");
    const denied = await world.request("b/second", isDenied);
    for (const type of ["Claimed", "Ready"]) {
      assert.equal(condition(denied, type)?.status, "False");
      assert.equal(condition(denied, type)?.reason, "ClaimedByAnother");
    }
    assert.match(condition(denied, "Denied")?.message ?? "", /held by GatewayHostnameRequest a\/first/);
    await remove("a/first");
    await world.letGo("mine.example.com");
    await world.gone(GatewayHostnameRequest, refOf("a/first"));
    const claim = await world.claim("mine.example.com");
    assert.equal(claim.spec.ownerRef.namespace, "b");
    await world.request("b/second", (request) => !isDenied(request));
    const refusals = (await world.told("b/second")).filter((why) => why === "ClaimedByAnother");
    assert.equal(refusals.length, 1);
  });

  test("a wildcard and a name that it covers are not held by two namespaces, in either order, but by one they are", async () => {
    await world.ask("a/wild", "*.apps.example.com");
    await world.claim("apps.example.com.0");
    await world.ask("a/own", "one.apps.example.com");
    await world.claim("one.apps.example.com");
    await world.ask("b/inside", "two.apps.example.com");
    const inside = await world.request("b/inside", isDenied);
    assert.equal(condition(inside, "Denied")?.reason, "OverlapsAnother");
    assert.match(condition(inside, "Denied")?.message ?? "", /a\/wild/);

    await world.ask("b/name", "one.lab.example.com");
    await world.claim("one.lab.example.com");
    await world.ask("a/over", "*.lab.example.com");
    const over = await world.request("a/over", isDenied);
    assert.match(condition(over, "Denied")?.message ?? "", /b\/name/);
    assert.equal(await claimOf("lab.example.com.0"), undefined);

    await remove("b/name");
    await world.letGo("one.lab.example.com");
    await world.claim("lab.example.com.0");
    await remove("a/wild");
    await world.letGo("apps.example.com.0");
    await world.claim("two.apps.example.com");
  });

  test("a wildcard and what is deeper below it are not held by two namespaces, and who was first has it", async () => {
    await world.ask("a/deep-wild", "*.deep.example.com");
    await world.claim("deep.example.com.0");
    await world.ask("b/deep-name", "x.y.deep.example.com");
    const name = await world.request("b/deep-name", isDenied);
    assert.equal(condition(name, "Denied")?.reason, "OverlapsAnother");
    await world.ask("b/deep-wild", "*.y.deep.example.com");
    const wild = await world.request("b/deep-wild", isDenied);
    assert.match(condition(wild, "Denied")?.message ?? "", /a\/deep-wild/);

    await remove("a/deep-wild");
    await world.letGo("deep.example.com.0");
    await world.claim("x.y.deep.example.com");
    await world.claim("y.deep.example.com.0");
    await world.ask("a/deep-again", "*.deep.example.com");
    const again = await world.request("a/deep-again", isDenied);
    assert.match(condition(again, "Denied")?.message ?? "", /b\/deep-/);
  });

  test("of two that were claimed at once the one that its claim calls second is given up", async () => {
    await world.ask("a/race", "*.race.example.com");
    await world.claim("race.example.com.0");
    await world.serve("race.example.com.0");
    // As another process would make it that looked before the wildcard was there.
    const { metadata } = await world.ask("b/race", "late.other.com");
    await world.user.for(DomainClaim).create({
      metadata: { name: "one.race.example.com", finalizers: ["gateway.opendi.com/claim"] },
      spec: {
        zoneId: "Z1",
        hostname: "one.race.example.com",
        ownerRef: { namespace: "b", name: "race", uid: metadata.uid ?? "" },
      },
    });
    await world.change("b/race", { hostname: "one.race.example.com" });
    await world.claim("one.race.example.com", ({ spec }) => spec.wish !== undefined);
    await world.serve("one.race.example.com", {}, { Claimed: ["False", "OverlapsAnother"] });
    await world.letGo("one.race.example.com");
    const denied = await world.request("b/race", isDenied);
    assert.equal(condition(denied, "Denied")?.reason, "OverlapsAnother");
  });

  test("what is not allowed, not in the zone or in no zone is denied with the reason, and nothing is claimed", async () => {
    world.zones.set("ZPRIVATE", { name: "example.com", private: true });
    const cases = [
      ["evil", "evil-example.com", "Z1", "DomainNotAllowed"],
      ["zone", "shop.opendi.com", "Z1", "HostnameNotInZone"],
      ["absent", "absent.example.com", "ZNONE", "ZoneNotFound"],
      ["private", "private.example.com", "ZPRIVATE", "PrivateZone"],
    ] as const;
    for (const [name, hostname, zoneId, why] of cases) {
      await world.ask(`a/${name}`, hostname, { zoneId });
      const denied = await world.request(`a/${name}`, isDenied);
      assert.equal(condition(denied, "Denied")?.reason, why);
      assert.equal(await claimOf(hostname), undefined);
    }
    await world.change("a/zone", { hostname: "zone.example.com" });
    await world.claim("zone.example.com");
    world.zones.set("ZNONE", { name: "example.com", private: false });
    await world.pass(400_000);
    await world.claim("absent.example.com");
    const arn = "arn:aws:acm:eu-central-1:123456789012:certificate/2";
    await world.change("a/private", { certificate: { arn } });
    await world.claim("private.example.com");
  });

  test("an error of AWS is no absence: the request says so, is not denied, and goes on by itself", async () => {
    world.zones.set("ZTHROTTLED", new Error("route53 GetHostedZone: Throttling: slow down"));
    await world.ask("a/throttled", "throttled.example.com", { zoneId: "ZTHROTTLED" });
    const request = await world.request("a/throttled", reason("ZoneLookupFailed"));
    assert.equal(condition(request, "Denied"), undefined);
    world.zones.set("ZTHROTTLED", { name: "example.com", private: false });
    await world.claim("throttled.example.com");
  });

  test("homoglyphs are refused though the server takes them", async () => {
    await world.ask("a/homoglyph", "xn--pendi-iye.com");
    const denied = await world.request("a/homoglyph", isDenied);
    assert.equal(condition(denied, "Denied")?.reason, "ValidationFailed");
    await remove("a/homoglyph");
    await world.gone(GatewayHostnameRequest, refOf("a/homoglyph"));
  });

  test("another hostname is claimed and served before the old one is given up; routes name both meanwhile", async () => {
    await world.ask("a/moving", "old.example.com");
    await world.serve("old.example.com", { gateway: "gw-01" });
    await world.request("a/moving", isReady);
    await world.change("a/moving", { hostname: "new.example.com" });
    await world.claim("new.example.com");
    await world.serve(
      "new.example.com",
      { gateway: "gw-02" },
      { Claimed: ["True", "Claimed"], Ready: ["False", "Waiting"] },
    );
    const { status } = await world.request("a/moving", ({ status: now }) => now?.hostnames?.length === 2);
    assert.deepEqual(status?.hostnames, ["new.example.com", "old.example.com"]);
    assert.deepEqual(
      status?.parents?.map(({ name }) => name),
      ["gw-01", "gw-02"],
    );
    assert.equal(status?.url, "https://old.example.com");
    await world.pass();
    assert.equal((await world.claim("old.example.com")).metadata.deletionTimestamp, undefined);
    await world.serve("new.example.com", { gateway: "gw-02" });
    await world.letGo("old.example.com");
    const after = await world.request(
      "a/moving",
      ({ status: now }) => now?.hostnames?.length === 1 && now.url !== undefined,
    );
    assert.equal(after.status?.url, "https://new.example.com");
  });

  test("a hostname that is denied leaves the one before it as it is", async () => {
    await world.ask("a/stays", "stays.example.com");
    await world.serve("stays.example.com", { gateway: "gw-01" });
    await world.request("a/stays", isReady);
    await world.change("a/stays", { hostname: "shop.example.com", zoneId: "Z1" });
    const taken = await world.ask("b/taker", "taken.example.com").then(() => world.claim("taken.example.com"));
    await world.change("a/stays", { hostname: taken.spec.hostname });
    const denied = await world.request("a/stays", isDenied);
    assert.equal(denied.status?.url, "https://stays.example.com");
    assert.equal((await world.claim("stays.example.com")).metadata.deletionTimestamp, undefined);
  });

  test("www is a claim of its own that redirects; not wanted any more it goes at once", async () => {
    await world.ask("a/www", "pages.example.com", { dns: { www: true } });
    const claim = await world.claim("www.pages.example.com");
    assert.equal(claim.spec.wish?.redirectTo, "pages.example.com");
    await world.serve("pages.example.com", { gateway: "gw-01" });
    const waiting = await world.request("a/www", (request) => condition(request, "Claimed")?.status === "True");
    assert.match(condition(waiting, "Ready")?.message ?? "", /^www\.pages\.example\.com: /);
    await world.serve("www.pages.example.com", { gateway: "gw-01" });
    const ready = await world.request("a/www", isReady);
    assert.deepEqual(ready.status?.hostnames, ["pages.example.com"]);
    await world.change("a/www", { dns: { www: false } });
    await world.letGo("www.pages.example.com");
    await world.gone(DomainClaim, { name: "www.pages.example.com" });
  });

  test("another zone gives the claim up first and makes it anew there", async () => {
    await world.ask("a/zones", "zones.example.com");
    await world.serve("zones.example.com");
    world.zones.set("Z2", { name: "example.com", private: false });
    await world.change("a/zones", { zoneId: "ZMISSING" });
    await world.request("a/zones", isDenied);
    assert.equal((await world.claim("zones.example.com")).metadata.deletionTimestamp, undefined);
    await world.change("a/zones", { zoneId: "Z2" });
    await world.request("a/zones", reason("ReleasingFirst"));
    await world.letGo("zones.example.com");
    const anew = await world.claim("zones.example.com", ({ metadata }) => metadata.deletionTimestamp === undefined);
    assert.equal(anew.spec.zoneId, "Z2");
  });

  test("a deleted request goes when its claims have gone, and says when they are held", async () => {
    await world.ask("a/leaving", "leaving.example.com");
    await world.serve("leaving.example.com", { gateway: "gw-01" });
    await world.request("a/leaving", isReady);
    await world.change("a/leaving", { deletionPolicy: "Retain" });
    await remove("a/leaving");
    const claim = await world.claim("leaving.example.com", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.equal(claim.spec.wish?.deletionPolicy, "Retain");
    await world.request("a/leaving", reason("Deleting"));
    await world.serve("leaving.example.com", {}, { Claimed: ["True", "Claimed"], Ready: ["False", "DeletionHeld"] });
    await world.request("a/leaving", reason("DeletionHeld"));
    await world.letGo("leaving.example.com");
    await world.gone(GatewayHostnameRequest, refOf("a/leaving"));
  });

  test("a claim whose request vanished without its cleanup is given up, not taken over by one of the same name", async () => {
    const dead = { namespace: "a", name: "orphan", uid: "0e1c6f5c-dead" };
    const claim = await world.user.for(DomainClaim).create({
      metadata: { name: "orphan.example.com", finalizers: ["gateway.opendi.com/claim"] },
      spec: { zoneId: "Z1", hostname: "orphan.example.com", ownerRef: dead },
    });
    const { metadata } = await world.ask("a/orphan", "orphan.example.com");
    await world.request("a/orphan", isDenied);
    await world.letGo("orphan.example.com");
    const anew = await world.claim("orphan.example.com", (seen) => seen.metadata.uid !== claim.metadata.uid);
    assert.equal(anew.spec.ownerRef.uid, metadata.uid);
  });

  test("a request with a ttl says when it ends, and ends then", async () => {
    await world.ask("a/preview", "preview.example.com", { ttl: "2h" });
    const { status, metadata } = await world.request("a/preview", (request) => request.status?.expiresAt !== undefined);
    const created = Date.parse(metadata.creationTimestamp ?? "");
    assert.equal(Date.parse(status?.expiresAt ?? ""), created + 7_200_000);
    await world.pass(7_000_000);
    await world.request("a/preview", (request) => request.metadata.deletionTimestamp === undefined);
    await world.pass(400_000);
    await world.letGo("preview.example.com");
    await world.gone(GatewayHostnameRequest, refOf("a/preview"));
  });

  test("nothing is claimed in a namespace that is being deleted, and what was claimed in it goes", async () => {
    await world.user.for(core.Namespace).create({ metadata: { name: "going" } });
    await world.ask("going/held", "going.example.com");
    await world.claim("going.example.com");
    await world.ask("going/late", "going.example.com");
    await world.request("going/late", isDenied);
    await world.user.for(core.Namespace).delete({ name: "going" });
    await world.letGo("going.example.com");
    await world.gone(core.Namespace, { name: "going" });
    assert.equal(await claimOf("going.example.com"), undefined);
  });
});
