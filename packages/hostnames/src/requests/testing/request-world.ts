import { createApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { apiextensions, core, events } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import type { ManifestOf } from "@gatewright/kube/define";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { createClient, createManager, removeFinalizer } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { CLAIM_FINALIZER } from "../../claims/claim-labels.ts";
import { DEFAULT_SETTINGS } from "../../settings.ts";
import type { HostnameSettings } from "../../settings.ts";
import { hostnameRequests } from "../controller.ts";
import type { Claim, Request } from "../observation.ts";
import type { ZoneDirectory } from "../zone-directory.ts";

const KINDS = [GatewayHostnameRequest, DomainClaim] as const;

type Spec = Partial<ManifestOf<typeof GatewayHostnameRequest>["spec"]>;

/** A server in memory on virtual time with the requests' controller at work on it. Nobody serves claims: tests say how they are. */
export interface RequestWorld extends AsyncDisposable {
  readonly user: Client;
  readonly clock: ManualClock;
  /** Hosted zones by id. A test may add some, or an error for one. */
  readonly zones: Map<string, { readonly name: string; readonly private: boolean } | Error>;
  /** How often zones were looked up. */
  lookups(): number;
  /** Creates a request for a hostname in zone Z1, which is that of example.com. */
  ask(ref: string, hostname: string, spec?: Spec): Promise<Request>;
  change(ref: string, spec: object): Promise<unknown>;
  /** Waits until a request is as it should be. */
  request(ref: string, holds: (request: Request) => boolean): Promise<Request>;
  /** Waits until a claim is as it should be. */
  claim(name: string, holds?: (claim: Claim) => boolean): Promise<Claim>;
  /** Plays the claims' controller: the hostname answers, or whatever conditions are given. */
  serve(name: string, status?: NonNullable<Claim["status"]>, conditions?: Conditions): Promise<void>;
  /** Plays the claims' controller: waits for the deletion, and lets the claim go. */
  letGo(name: string): Promise<void>;
  gone(resource: Resource, ref: ObjectRef): Promise<void>;
  /** Reasons of events about a request. */
  told(ref: string): Promise<readonly string[]>;
  until<T>(what: string, look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T>;
  /** Lets time pass. */
  pass(ms?: number): Promise<void>;
}

type Conditions = Readonly<Record<string, readonly [status: "True" | "False" | "Unknown", reason: string]>>;

export const SERVING: Conditions = { Claimed: ["True", "Claimed"], Ready: ["True", "Serving"] };

export const refOf = (text: string): ObjectRef => {
  const [namespace = "", name = ""] = text.split("/");
  return { namespace, name };
};

export async function createRequestWorld(settings: Partial<HostnameSettings> = {}): Promise<RequestWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(7) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(8), fieldManager: "user" });
  const manager = createManager({ name: "requests-test", transport, clock, random: seededRandom(9) });
  const stopping = new AbortController();
  const zones: RequestWorld["zones"] = new Map([["Z1", { name: "example.com.", private: false }]]);
  let lookups = 0;
  const directory: ZoneDirectory = {
    async zone(id) {
      lookups++;
      const zone = zones.get(id) ?? "absent";
      if (zone instanceof Error) throw zone;
      return zone;
    },
  };

  const time = new PassingTime(clock, { turnMs: 20 });
  const find = async <T extends ApiObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    holds: (seen: Immutable<T>) => boolean,
  ): Promise<Immutable<T>> => {
    const look = () => user.for(resource).find(ref);
    const found = await time.until(`${resource.kind} ${ref.name}`, look, (seen) => seen !== undefined && holds(seen));
    return found!;
  };

  for (const kind of KINDS) await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  await server.idle();
  for (const name of ["a", "b"]) await user.for(core.Namespace).create({ metadata: { name } });
  manager.add(hostnameRequests({ zones: directory }, { ...DEFAULT_SETTINGS, ...settings }));
  const running = manager.run(stopping.signal);

  return {
    user,
    clock,
    zones,
    until: (what, look, holds) => time.until(what, look, holds),
    lookups: () => lookups,
    ask: (ref, hostname, spec = {}) =>
      user.for(GatewayHostnameRequest).create({
        metadata: refOf(ref),
        spec: { zoneId: "Z1", hostname, ...spec } as GatewayHostnameRequest["spec"],
      }),
    change: (ref, spec) => user.for(GatewayHostnameRequest).patch(refOf(ref), { merge: { spec } }),
    request: (ref, holds) => find(GatewayHostnameRequest, refOf(ref), holds),
    claim: (name, holds = () => true) => find(DomainClaim, { name }, holds),
    async serve(name, status = {}, conditions = SERVING) {
      const { metadata } = await find(DomainClaim, { name }, () => true);
      const lastTransitionTime = "2030-01-01T00:00:00Z";
      const facts = Object.entries(conditions).map(([type, [value, reason]]) => {
        return { type, status: value, reason, message: `${type} is ${value}`, lastTransitionTime };
      });
      const claimed = conditions["Claimed"]?.[0] === "True" ? { claimedAt: lastTransitionTime } : {};
      const known = { observedGeneration: metadata.generation ?? 0, ...claimed, ...status, conditions: facts };
      await user.for(DomainClaim).status.patch({ name }, { merge: { status: known } });
    },
    async letGo(name) {
      const claim = await find(DomainClaim, { name }, ({ metadata }) => metadata.deletionTimestamp !== undefined);
      await removeFinalizer(user, DomainClaim, claim, CLAIM_FINALIZER);
    },
    async gone(resource, ref) {
      const look = () => user.for(resource).find(ref);
      await time.until(`the end of ${resource.kind} ${ref.name}`, look, (seen) => seen === undefined);
    },
    async told(ref) {
      const { name } = refOf(ref);
      const { items } = await user.for(events.Event).list({ namespace: refOf(ref).namespace ?? "" });
      return items.filter(({ regarding }) => regarding?.name === name).map(({ reason }) => reason ?? "");
    },
    async pass(ms = 400) {
      for (let turns = 0; turns < 20; turns++) await time.turn(ms / 20);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
      await server.close();
    },
  };
}
