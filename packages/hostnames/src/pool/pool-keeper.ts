import { parseTime } from "@gatewright/kube";
import { DomainClaim, Gateway, HTTPRoute } from "@gatewright/resources";
import { after, done } from "@gatewright/runtime";
import type { Outcome, ReconcileContext } from "@gatewright/runtime";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import type { HostnameSettings } from "../settings.ts";
import { canonicalZoneOf } from "./canonical-zone.ts";
import { presentCertificates } from "./certificates-on.ts";
import type { CertificateState } from "./certificates-on.ts";
import { BY_GATEWAY, gatewaysOf, olderFirst } from "./claim-view.ts";
import { confirmDesign, OldClaimsError } from "./confirm-design.ts";
import { designOf } from "./design.ts";
import { dropListeners, leavesListeners } from "./drop-listeners.ts";
import type { PoolObservation } from "./design.ts";
import { belongingsOf, effectsOf, OF_GATEWAY, removalOf } from "./pool-effects.ts";
import type { PoolEffect } from "./pool-effects.ts";
import { profileFrom, profileOf } from "./pool-gateways.ts";
import type { GatewayProfile } from "./pool-gateways.ts";
import type { GatewayAws, GatewayAwsKinds } from "./pool-kinds.ts";
import {
  configurationName,
  EMPTY_ANNOTATION,
  gatewayNumber,
  POOL_LABEL,
  RETIRING_ANNOTATION,
  ZONE_ANNOTATION,
} from "./pool-names.ts";
import { OldObjectsError, PoolObjects } from "./pool-objects.ts";
import { ReplacedCertificates } from "./replaced-certificates.ts";
import type { ZoneLookup } from "./zone-lookup.ts";

type Context = ReconcileContext<Gateway>;

export interface PoolKeeperOptions {
  readonly certificates: { get(arn: string): CertificateState };
  readonly gatewayAws: GatewayAws;
  readonly kinds: GatewayAwsKinds;
  readonly settings: HostnameSettings;
  readonly zoneOf: ZoneLookup | undefined;
  /** Hears of what somebody else has changed. */
  readonly drifted: () => void;
}

/** How long until a Gateway that could not be removed is looked at again. */
const LOOK_AGAIN_MS = 30_000;

/** Carries out designs of Gateways. Holds what one process remembers of them; nothing of it is needed to go on after a crash. */
export class PoolKeeper {
  readonly #options: PoolKeeperOptions;
  readonly #objects = new PoolObjects();
  /** Since when there is something to write, by Gateway. */
  readonly #pending = new Map<string, number>();
  /** What each Gateway is for. It never changes, whatever somebody else writes on it. */
  readonly #profiles = new Map<string, { readonly uid: string | undefined; readonly profile: GatewayProfile }>();
  /** Certificates that the last design of a Gateway looked at. */
  readonly #followed = new Map<string, Set<string>>();
  /** Hosted zones of load balancers that AWS was asked for, by Gateway. */
  readonly #zones = new Map<string, string>();
  readonly #replaced = new ReplacedCertificates();
  /** Versions of objects whose drift has been told, where it is only told. */
  readonly #told = new Map<string, string>();

  constructor(options: PoolKeeperOptions) {
    this.#options = options;
  }

  /** Gateways to which the state of a certificate matters. */
  followersOf(arn: string): readonly string[] {
    return [...this.#followed].flatMap(([gateway, arns]) => (arns.has(arn) ? [gateway] : []));
  }

  /** What another process wrote while it led is not known here: everything is written once more. */
  begin(): void {
    this.#objects.forget();
    for (const memory of [this.#pending, this.#profiles, this.#told]) memory.clear();
  }

  async keep(context: Context): Promise<Outcome> {
    const { ref, object: gateway, cached } = context;
    const { name } = ref;
    if (gatewayNumber(name) === undefined || gateway?.metadata.deletionTimestamp !== undefined) return done();
    const claims = cached(DomainClaim).byIndex(BY_GATEWAY, name);
    const isPlaced = claims.some(({ status }) => status?.gateway === name);
    if (gateway === undefined && !isPlaced) return this.#tidy(context);
    if (gateway?.metadata.labels?.[POOL_LABEL] !== "true" && !isPlaced) return done();
    try {
      const outcome = await this.#carryOut(context, this.#observe(context, claims));
      return (await this.#askForZone(context)) ?? outcome;
    } catch (error) {
      if (error instanceof OldClaimsError || error instanceof OldObjectsError) return after(LOOK_AGAIN_MS);
      throw error;
    }
  }

  #observe({ ref: { name }, object: gateway, cached, clock }: Context, claims: readonly Claim[]): PoolObservation {
    const { kinds, settings, certificates } = this.#options;
    const followed = new Set<string>();
    this.#followed.set(name, followed);
    const sets = settings.listeners === "listener-sets";
    const configuration = cached(kinds.loadBalancerConfiguration).get({
      namespace: settings.edgeNamespace,
      name: configurationName(name),
    });
    return {
      name,
      claims,
      gateway,
      profile: this.#profile(name, gateway, configuration, claims),
      configuration,
      listenerSets: sets ? belongingsOf(cached, name, kinds, sets).listenerSets : [],
      certificate: (arn) => {
        followed.add(arn);
        return certificates.get(arn);
      },
      replaced: this.#replaced.staying(name, presentCertificates(configuration), claims, clock.monotonic()),
      zone: this.#zones.get(name) ?? gateway?.metadata.annotations?.[ZONE_ANNOTATION],
      now: clock.now(),
    };
  }

  /** In regions whose zones are not known here AWS is asked once for each load balancer; the answer is noted on the Gateway. */
  async #askForZone({ ref, cached, log, signal }: Context): Promise<Outcome | undefined> {
    const gateway = cached(Gateway).get(ref);
    const dnsName = gateway?.status?.addresses?.find(({ type }) => type === "Hostname")?.value;
    const { zoneOf } = this.#options;
    if (zoneOf === undefined || dnsName === undefined || canonicalZoneOf(dnsName) !== undefined) return undefined;
    if (this.#zones.has(ref.name) || gateway?.metadata.annotations?.[ZONE_ANNOTATION] !== undefined) return undefined;
    try {
      const zone = await zoneOf(dnsName, signal);
      if (zone === undefined) return after(LOOK_AGAIN_MS);
      this.#zones.set(ref.name, zone);
      return after(1);
    } catch (error) {
      log.warn("The zone of a load balancer could not be asked for", { loadBalancer: dnsName, error });
      return after(LOOK_AGAIN_MS);
    }
  }

  #profile(
    name: string,
    gateway: PoolObservation["gateway"],
    configuration: PoolObservation["configuration"],
    claims: readonly Claim[],
  ): GatewayProfile {
    const known = this.#profiles.get(name);
    if (known !== undefined && gateway !== undefined && known.uid === gateway.metadata.uid) return known.profile;
    const [oldest] = claims.filter(({ status }) => status?.gateway === name).toSorted(olderFirst);
    const profile = profileFrom(gateway, configuration, oldest && profileOf(wishOf(oldest)));
    if (gateway !== undefined) this.#profiles.set(name, { uid: gateway.metadata.uid, profile });
    return profile;
  }

  async #carryOut(context: Context, seen: PoolObservation): Promise<Outcome> {
    const { cached, client, clock, signal } = context;
    const { settings, kinds, gatewayAws } = this.#options;
    const design = designOf(seen, settings, gatewayAws);
    const belongings = belongingsOf(cached, seen.name, kinds, settings.listeners === "listener-sets");
    const effects = effectsOf(design, belongings, kinds).filter((effect) => this.#isNeeded(context, seen, effect));
    if (effects.length === 0) {
      this.#pending.delete(seen.name);
      return this.#whenEmpty(context, seen);
    }
    const since = this.#pending.get(seen.name) ?? clock.monotonic();
    this.#pending.set(seen.name, since);
    const waitMs = since + settings.flushMs - clock.monotonic();
    if (waitMs > 0) return after(waitMs);
    await confirmDesign(client, seen, design, signal);
    for (const effect of effects) await this.#perform(context, effect);
    this.#pending.delete(seen.name);
    return this.#whenEmpty(context, seen);
  }

  /** What somebody else changed is left as it is where drift is only told. */
  #isNeeded(context: Context, seen: PoolObservation, effect: PoolEffect): boolean {
    if (effect.type === "remove") return true;
    const need = leavesListeners(context, effect)
      ? "news"
      : this.#objects.need(context, effect.resource, effect.desired);
    if (need !== "drift" || this.#options.settings.drift === "repair") return need !== "none";
    const known = context.cached(effect.resource).get(effect.desired.metadata);
    const id = `${effect.resource.kind} ${effect.desired.metadata.name}`;
    const version = known?.metadata.resourceVersion ?? "";
    if (this.#told.get(id) !== version && seen.gateway !== undefined)
      this.#tell(context, seen.gateway, effect, "Found");
    this.#told.set(id, version);
    return false;
  }

  async #perform(context: Context, effect: PoolEffect): Promise<void> {
    if (effect.type === "remove") return this.#objects.remove(context, effect.resource, effect.object);
    const drifted = this.#objects.need(context, effect.resource, effect.desired) === "drift";
    if (effect.resource.kind === Gateway.kind) await dropListeners(context, effect.desired);
    const left = await this.#objects.apply(context, effect.resource, effect.desired);
    const regarding = effect.resource.kind === Gateway.kind ? left : context.object;
    if (drifted && regarding !== undefined) this.#tell(context, regarding, effect, "Repaired");
  }

  #tell(
    { events }: Context,
    regarding: Parameters<Context["events"]["record"]>[0],
    { resource, desired }: Extract<PoolEffect, { type: "apply" }>,
    what: "Found" | "Repaired",
  ): void {
    const now = what === "Repaired" ? "and has been put right" : "and is left so, as the settings say";
    const note = `${resource.kind} ${desired.metadata.name} was changed or deleted by somebody else ${now}.`;
    events.record(regarding, { type: "Warning", reason: `Drift${what}`, action: "Keep", note });
    this.#options.drifted();
  }

  /** A Gateway that has been empty for long enough takes no more hostnames for a while, and then goes: its routes first. */
  async #whenEmpty(context: Context, { name, claims, replaced, now }: PoolObservation): Promise<Outcome> {
    const { removeEmptyAfterMs, flushMs } = this.#options.settings;
    const gateway = context.cached(Gateway).get(context.ref);
    const annotations = gateway?.metadata.annotations ?? {};
    const since = parseTime(annotations[EMPTY_ANNOTATION] ?? "");
    if (claims.length > 0 && replaced.size > 0) return after(Math.min(...replaced.values()));
    if (gateway === undefined || claims.length > 0 || removeEmptyAfterMs === undefined || since === undefined)
      return done();
    const retiring = parseTime(annotations[RETIRING_ANNOTATION] ?? "");
    const due = retiring === undefined ? since + removeEmptyAfterMs : retiring + Math.max(flushMs, 1_000);
    if (retiring === undefined || now < due) return after(Math.max(due - now, 1));
    if (await isNamed(context, name)) return after(LOOK_AGAIN_MS);
    for (const route of context.cached(HTTPRoute).byIndex(OF_GATEWAY, name)) {
      await this.#objects.remove(context, HTTPRoute, route);
    }
    const { resourceVersion = "" } = gateway.metadata;
    await this.#objects.remove(context, Gateway, gateway, { resourceVersion });
    return done();
  }

  /** The Gateway is gone, and the load balancer with it: so goes what belonged to it. */
  async #tidy(context: Context): Promise<Outcome> {
    const { ref, cached, client, signal } = context;
    const { kinds, settings } = this.#options;
    for (const memory of [this.#pending, this.#profiles, this.#followed, this.#zones]) memory.delete(ref.name);
    this.#replaced.forget(ref.name);
    const effects = removalOf(belongingsOf(cached, ref.name, kinds, settings.listeners === "listener-sets"));
    if (effects.length === 0) return done();
    if ((await client.for(Gateway).find(ref, { signal })) !== undefined || (await isNamed(context, ref.name))) {
      return after(LOOK_AGAIN_MS);
    }
    for (const effect of effects) await this.#perform(context, effect);
    return done();
  }
}

/** Whether a claim is placed on the Gateway or leaving it, by what the server says now. */
async function isNamed({ client, signal }: Pick<Context, "client" | "signal">, gateway: string): Promise<boolean> {
  let named = false;
  const look = (claim: Claim): void => void (named ||= gatewaysOf(claim).includes(gateway));
  await client.for(DomainClaim).stream({ signal, restart: () => void (named = false) }, look);
  return named;
}
