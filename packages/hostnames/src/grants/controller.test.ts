import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { core } from "@gatewright/kube/api";
import { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { createGrantWorld } from "./testing/grant-world.ts";
import type { GrantWorld } from "./testing/grant-world.ts";

suite("grants of hostnames", () => {
  let world: GrantWorld;
  before(async () => {
    world = await createGrantWorld(["edge", "shop", "partner", "bank", "drift", "leaving", "quiet", "many"]);
  });
  after(() => world[Symbol.asyncDispose]());

  test("a claim that is held is granted to the namespaces that it names, and withdrawn when it is given up", async () => {
    await world.hold("shop.example.com", "shop", { namespaces: ["shop", "partner"] });
    const grant = await world.granted("shop", "shop.example.com");
    assert.equal(grant?.spec.namespace, "shop");
    assert.ok(grant.status?.grantedAt);
    await world.granted("partner", "shop.example.com");
    await world.hold("*.shop.example.com", "shop");
    await world.granted("shop", "*.shop.example.com", "shop.example.com");

    const released = { at: "2030-01-01T00:00:00Z", step: "alias" };
    const claims = world.user.for(DomainClaim);
    await claims.status.patch({ name: "shop.example.com" }, { merge: { status: { released } } });
    await world.granted("shop", "*.shop.example.com");
    await world.granted("partner");
    await claims.delete({ name: "any.shop.example.com" });
    await world.granted("shop");
  });

  test("a claim that is not held yet, or only leads elsewhere, is granted to nobody", async () => {
    await world.hold("www.bank.example.com", "bank", { redirectTo: "bank.example.com" });
    await world.user.for(DomainClaim).create({
      metadata: { name: "wanted.example.com" },
      spec: {
        zoneId: "Z1",
        hostname: "wanted.example.com",
        ownerRef: { namespace: "bank", name: "wanted", uid: "1" },
      },
    });
    await world.pass();
    await world.granted("bank");
  });

  test("a namespace that a claim no longer names loses the hostname, and another gets it", async () => {
    await world.hold("moved.example.com", "bank", { namespaces: ["bank"] });
    await world.granted("bank", "moved.example.com");
    const wish = { namespaces: ["partner"] };
    await world.user.for(DomainClaim).patch({ name: "moved.example.com" }, { merge: { spec: { wish } } });
    await world.granted("bank");
    await world.granted("partner", "moved.example.com");
  });

  test("claims that come at once are granted in a few writes, and steps that they take change nothing", async () => {
    const hostnames = Array.from({ length: 30 }, (_, n) => `h${String(n).padStart(2, "0")}.many.example.com`);
    const before = world.writes();
    for (const hostname of hostnames) await world.hold(hostname, "many");
    await world.granted("many", ...hostnames);
    await world.pass();
    // The grant, its status and the label; and the grant once more for what came behind the first.
    assert.ok(world.writes() - before <= 5, `${world.writes() - before} writes`);
    const settled = world.writes();
    await world.user
      .for(DomainClaim)
      .status.patch({ name: "h01.many.example.com" }, { merge: { status: { gateway: "gw-01" } } });
    await world.pass();
    assert.equal(world.writes(), settled);
  });

  test("grants of the edge namespace count, those of other namespaces do not", async () => {
    const spec = { namespace: "bank", hostnames: ["bank.example.com"] };
    const grants = world.user.for(HostnameGrant);
    await grants.create({ metadata: { name: "mine", namespace: "bank" }, spec });
    await world.pass();
    await world.granted("bank");
    await grants.create({ metadata: { name: "for-the-bank", namespace: "edge" }, spec });
    await world.granted("bank", "bank.example.com");
    const written = await grants.get({ name: "for-the-bank", namespace: "edge" });
    assert.ok(written.status?.grantedAt);
    await grants.delete({ name: "for-the-bank", namespace: "edge" });
    await world.granted("bank");
  });

  test("what somebody changes, forges or deletes is put right", async () => {
    await world.hold("drift.example.com", "drift");
    await world.granted("drift", "drift.example.com");
    const grants = world.user.for(HostnameGrant);
    const ref = { namespace: "drift", name: "hostnames" };
    await grants.patch(ref, { merge: { spec: { hostnames: ["bank.example.com"] } } });
    await world.granted("drift", "drift.example.com");
    await grants.delete(ref);
    await world.granted("drift", "drift.example.com");
    const labels = { "gateway.opendi.com/hostnames": null };
    await world.user.for(core.Namespace).patch({ name: "drift" }, { merge: { metadata: { labels } } });
    await world.granted("drift", "drift.example.com");
    await grants.create({
      metadata: { namespace: "quiet", name: "hostnames" },
      spec: { namespace: "quiet", hostnames: ["bank.example.com"] },
    });
    await world.granted("quiet");
  });

  test("the edge namespace and one that is going get none", async () => {
    const namespaces = world.user.for(core.Namespace);
    await namespaces.patch({ name: "leaving" }, { merge: { metadata: { finalizers: ["example.com/hold"] } } });
    await namespaces.delete({ name: "leaving" });
    await world.hold("leaving.example.com", "leaving", { namespaces: ["leaving", "edge"] });
    await world.pass();
    await world.granted("edge");
    assert.equal(await world.user.for(HostnameGrant).find({ namespace: "leaving", name: "hostnames" }), undefined);
    await namespaces.patch({ name: "leaving" }, { merge: { metadata: { finalizers: null } } });
  });

  test("a change of one namespace writes nothing elsewhere, and nothing is written while nothing changes", async () => {
    await world.pass();
    const before = world.writes();
    await world.pass();
    assert.equal(world.writes(), before);
    await world.hold("quiet.example.com", "quiet");
    await world.granted("quiet", "quiet.example.com");
    await world.pass();
    assert.equal(world.writes() - before, 3); // the grant, when it was granted, and the label
  });
});
