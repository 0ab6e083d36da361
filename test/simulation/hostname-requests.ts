import { deepEqual, getPath } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, ActorWorld, GroupVersionObject, Law, Program, Scenario } from "@gatewright/runtime/simulation";
import { rivalOf, standing } from "../../packages/hostnames/src/claims/overlap.ts";
import { hostnameRequests } from "../../packages/hostnames/src/requests/controller.ts";
import { DEFAULT_SETTINGS } from "../../packages/hostnames/src/settings.ts";

const LEASE = { namespace: "a", name: "gatewright" };
const CLAIMS = { group: DomainClaim.group, resource: DomainClaim.plural };
const NOW = "2026-01-01T00:00:00Z";
/** Names that overlap, and the claims that they have. */
const LAB = ["lab.example.com.0", "one.lab.example.com"];

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  const manager = createManager({ name: "gatewright", transport, clock, random, log, lease: { ...LEASE, identity } });
  const zones = {
    async zone(id: string) {
      if ((random.bytes(1)[0] ?? 0) < 50) throw new Error("throttled");
      return id === "ZNONE" ? "absent" : { name: "example.com", private: false };
    },
  };
  addProbed(probe, manager, hostnameRequests({ zones }, DEFAULT_SETTINGS));
  return manager;
};

const request = (namespace: string, name: string, hostname: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "GatewayHostnameRequest",
  metadata: { name, namespace },
  spec: { zoneId: "Z1", hostname, ...spec },
});
const at = (namespace: string, name: string): GroupVersionObject => ({ ...GatewayHostnameRequest, namespace, name });
const isDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
const asClaim = (object: KubeObject): DomainClaim => object as unknown as DomainClaim;

/** The claims' controller, reduced to its promises: holds a name only when nobody overlaps, and lets a claim go when told. */
async function serve(object: KubeObject, world: ActorWorld): Promise<void> {
  const { name = "", uid } = object.metadata;
  const claim: GroupVersionObject = { ...DomainClaim, name };
  if (isDeleted(object)) {
    await world.take({ patch: claim, with: { metadata: { uid, finalizers: null } } });
    return;
  }
  const other = rivalName(name);
  const rival = other === undefined ? undefined : world.get(CLAIMS, "", other);
  const stands = standing(asClaim(object), rival === undefined || isDeleted(rival) ? [] : [asClaim(rival)]);
  const observedGeneration = object.metadata.generation ?? 0;
  const conditions =
    stands.state === "free"
      ? [condition("Claimed", "True", "Claimed"), condition("Ready", "True", "Serving")]
      : [condition("Claimed", "False", "OverlapsAnother")];
  const held = stands.state === "free" ? { claimedAt: NOW, gateway: "gw-01" } : {};
  const status = { observedGeneration, ...held, conditions };
  if (deepEqual(object["status"], status)) return;
  await world.take({ patch: claim, with: { metadata: { uid }, status }, subresource: "status" });
}

const actors: readonly Actor[] = [
  { name: "claims", watches: CLAIMS, afterMs: 400, act: serve },
  {
    name: "rivals",
    watches: CLAIMS,
    afterMs: 1_000,
    async act({ metadata: { name = "" } }, world) {
      const other = rivalName(name);
      const rival = other === undefined ? undefined : world.get(CLAIMS, "", other);
      if (rival !== undefined) await serve(rival, world);
    },
  },
];

function rivalName(name: string): string | undefined {
  return LAB.includes(name) ? LAB.find((each) => each !== name) : undefined;
}

function condition(type: string, status: string, reason: string) {
  return { type, status, reason, message: reason, lastTransitionTime: NOW };
}

/** No two namespaces hold what overlaps, and a hostname goes only when the one that takes its place answers. */
function law(): Law {
  const known = new Map<string, DomainClaim>();
  const requests = new Map<string, KubeObject>();
  return (resource, type, object) => {
    if (resource.startsWith("gatewayhostnamerequests")) {
      requests[type === "DELETED" ? "delete" : "set"](object.metadata.uid ?? "", object);
      return undefined;
    }
    if (!resource.startsWith("domainclaims")) return undefined;
    const claim = asClaim(object);
    const { uid = "", deletionTimestamp } = claim.metadata;
    const before = known.get(uid);
    if (type === "DELETED") return void known.delete(uid);
    known.set(uid, claim);
    const { hostname, ownerRef, wish } = claim.spec;
    if (before !== undefined && before.spec.ownerRef.uid !== ownerRef.uid) return `${hostname} was taken over`;
    const others = [...known.values()].filter(({ status }) => status?.claimedAt !== undefined);
    const rival = rivalOf({ hostname, namespace: ownerRef.namespace }, others);
    if (claim.status?.claimedAt !== undefined && rival !== undefined) {
      return `${hostname} and ${rival.spec.hostname} are held by two namespaces`;
    }
    const owner = requests.get(ownerRef.uid);
    const isGiven = deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined;
    if (!isGiven || owner === undefined || isDeleted(owner) || wish?.redirectTo !== undefined) return undefined;
    if (claim.status?.claimedAt === undefined || getPath(owner, "spec", "hostname") === hostname) return undefined;
    const serves = others.some(({ metadata, spec }) => spec.ownerRef.uid === ownerRef.uid && metadata.uid !== uid);
    return serves ? undefined : `${hostname} was given up before another hostname took its place`;
  };
}

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const kinds = [GatewayHostnameRequest, DomainClaim].map((kind) => crdOf(kind) as unknown as KubeObject);

/** Requests that meet, change their minds, expire and go; two processes of which one leads. */
export const hostnameRequestsScenario: Scenario = {
  name: "hostname-requests",
  about: "requests for hostnames with a standby: claims, losers, overlaps, changes, zones, ttl",
  before: [...kinds, namespace("a"), namespace("b")],
  steps: [
    { at: 1_000, create: request("a", "shop", "Shop.example.com", { dns: { www: true } }) },
    { at: 1_500, create: request("b", "preview", "preview.example.com", { ttl: "1m" }) },
    { at: 2_000, create: request("b", "shop", "shop.example.com") },
    { at: 4_000, create: request("a", "wild", "*.lab.example.com") },
    { at: 4_010, create: request("b", "inside", "one.lab.example.com") },
    { at: 6_000, create: request("b", "nowhere", "nowhere.example.com", { zoneId: "ZNONE" }) },
    { at: 9_000, patch: at("a", "shop"), with: { spec: { hostname: "store.example.com" } } },
    { at: 15_000, patch: at("b", "shop"), with: { spec: { certificate: { strategy: "Single" } } } },
    { at: 18_000, patch: at("a", "shop"), with: { spec: { dns: null } } },
    { at: 21_000, patch: at("b", "shop"), with: { spec: { zoneId: "Z2" } } },
    { at: 24_000, delete: at("a", "wild") },
    { at: 27_000, delete: at("a", "shop") },
    { at: 27_500, create: request("a", "shop", "store.example.com", { visibility: "internal" }) },
    { at: 32_000, patch: at("b", "inside"), with: { spec: { hostname: "*.lab.example.com" } } },
    { at: 36_000, patch: at("b", "nowhere"), with: { spec: { zoneId: "Z1" } } },
    { at: 63_000, create: request("b", "last", "preview.example.com") },
  ],
  actors,
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
  law,
};
