import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import { anyKind } from "./hijack-world.ts";
import { DomainClaim, Gateway, HTTPRoute, HostnameGrant } from "@gatewright/resources";
import type { Actors } from "./hijack-world.ts";
import { stories } from "./hijack-stories.ts";

const SHOP = "hijack-shop";
const POOL = { group: Gateway.group, kind: Gateway.kind, name: "gw-01", namespace: "hijack-edge" };

/** Tests of every attempt to get at hostnames of others, for whichever server `actors` leads to when they run. */
export function tellStories(actors: () => Actors): void {
  for (const [index, { what, by, resource, namespace, name, spec, refused }] of stories.entries()) {
    test(`${what} is ${refused === undefined ? "taken" : "refused"}`, async () => {
      const metadata = { name: name ?? `story-${index}`, ...(namespace !== undefined && { namespace }) };
      const attempt = actors()[by].for(resource).create({ metadata, spec });
      if (refused === undefined) await attempt;
      else await assert.rejects(attempt, (error) => saying(error, refused));
    });
  }

  test("a granted route cannot be turned to another's hostname, and its labels can be written", async () => {
    const routes = actors().tenant.for(anyKind(HTTPRoute));
    const ref = { name: "turned", namespace: SHOP };
    await routes.create({
      metadata: ref,
      spec: { parentRefs: [POOL], hostnames: ["shop.example.com"] },
    });
    const turned = routes.patch(ref, { merge: { spec: { hostnames: ["bank.example.com"] } } });
    await assert.rejects(turned, (error) => saying(error, /bank.example.com is not granted/));
    await routes.patch(ref, { merge: { metadata: { labels: { a: "b" } } } });
  });

  test("what was made before its grant was gone can be deleted, and its finalizers can be taken off", async () => {
    const { tenant, operator } = actors();
    const ref = { name: "left", namespace: SHOP };
    await tenant.for(anyKind(HTTPRoute)).create({
      metadata: { ...ref, finalizers: ["example.com/hold"] },
      spec: { parentRefs: [POOL], hostnames: ["x.apps.example.com"] },
    });
    const grant = { name: "hostnames", namespace: SHOP };
    const spec = { namespace: SHOP, hostnames: ["shop.example.com"] };
    await operator.for(HostnameGrant).patch(grant, { merge: { spec } });
    await tenant.for(HTTPRoute).delete(ref);
    await tenant.for(HTTPRoute).patch(ref, { merge: { metadata: { finalizers: null } } });
    assert.equal(await tenant.for(HTTPRoute).find(ref), undefined);
    await operator
      .for(HostnameGrant)
      .patch(grant, { merge: { spec: { hostnames: ["shop.example.com", "*.apps.example.com"] } } });
  });

  test("a tenant can neither change a grant or a claim nor delete a claim", async () => {
    const { tenant } = actors();
    const grants = tenant.for(HostnameGrant);
    const widened = grants.patch(
      { name: "hostnames", namespace: SHOP },
      { merge: { spec: { hostnames: ["bank.example.com"] } } },
    );
    await assert.rejects(widened, (error) => saying(error, /by the operator alone/));
    const claim = { name: "bank.example.com" };
    const taken = tenant.for(DomainClaim).patch(claim, { merge: { spec: { ownerRef: { uid: "2" } } } });
    await assert.rejects(taken, (error) => saying(error, /by the operator alone/));
    const told = tenant.for(DomainClaim).status.patch(claim, { merge: { status: { gateway: "gw-02" } } });
    await assert.rejects(told, (error) => saying(error, /by the operator alone/));
    await assert.rejects(tenant.for(DomainClaim).delete(claim), (error) => saying(error, /by the operator alone/));
  });
}

function saying(error: unknown, words: RegExp): boolean {
  assert.ok(error instanceof StatusError, String(error));
  assert.match(error.message, words);
  return true;
}
