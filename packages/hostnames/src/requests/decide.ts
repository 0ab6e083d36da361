import { isTrue } from "@gatewright/runtime";
import { allowedBy } from "../names/index.ts";
import { REASONS } from "../reasons.ts";
import type { HostnameSettings } from "../settings.ts";
import { claimOn } from "./observation.ts";
import type { Claim, Observation } from "./observation.ts";
import { heldBy, releasedFirst } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import type { WantedName } from "./wanted-names.ts";
import { isAsWished, wishOf } from "./wish.ts";
import type { Wish } from "./wish.ts";
import { zoneRefusal } from "./zone-directory.ts";
import type { ZoneFinding } from "./zone-directory.ts";

/** Something to do to the claims of a request. Each is safe to repeat. */
export type Effect =
  /** Makes the claim, unless an overlapping one is found; that it can be made is the lock. */
  | { readonly type: "claim"; readonly name: WantedName }
  | { readonly type: "wish"; readonly claim: Claim; readonly wish: Wish }
  /** Two overlapping names were claimed at once: gives this one up if it comes second. */
  | { readonly type: "contest"; readonly claim: Claim }
  | { readonly type: "release"; readonly claim: Claim };

export interface Decision {
  readonly effects: readonly Effect[];
  /** By hostname: why it is not claimed. The request's own hostname comes first. */
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/** Whether anything can be decided only once it is known which domain the hosted zone is of. */
export function needsZone(seen: Observation, settings: HostnameSettings): boolean {
  if (!("names" in seen.wanted)) return false;
  return seen.wanted.names.some(
    (name) => isToBeClaimed(seen, name) && refusalWithoutZone(seen, name, settings) === undefined,
  );
}

/** What a request needs next, in order. Pure: same observation, same answer. `zone`: undefined when it was not needed. */
export function decide(seen: Observation, zone: ZoneFinding | undefined, settings: HostnameSettings): Decision {
  const { wanted } = seen;
  if ("problem" in wanted) {
    const refusal: Refusal = { kind: "denied", reason: REASONS.ValidationFailed.reason, message: wanted.problem };
    return { effects: [], refusals: new Map([[seen.request.spec.hostname, refusal]]) };
  }
  const refusals = new Map<string, Refusal>();
  const effects: Effect[] = [];
  for (const name of wanted.names) {
    const claim = claimOn(seen, name.hostname);
    if (claim?.metadata.deletionTimestamp !== undefined) {
      refusals.set(name.hostname, releasedFirst(claim));
      continue;
    }
    if (!isToBeClaimed(seen, name)) {
      effects.push(...kept(seen, name));
      continue;
    }
    const refusal =
      refusalWithoutZone(seen, name, settings) ?? (zone && zoneRefusal(seen.request, name.hostname, zone));
    if (refusal !== undefined) refusals.set(name.hostname, refusal);
    else if (zone === undefined) continue;
    else if (claim === undefined) effects.push({ type: "claim", name });
    else {
      // Claims cannot change zones, and there is one for a hostname: it is made anew when this one has gone.
      effects.push({ type: "release", claim });
      refusals.set(name.hostname, releasedFirst(claim));
    }
  }
  return { effects: [...effects, ...superseded(seen, wanted.names, refusals)], refusals };
}

/** Whether the hostname has no claim yet, or one in another zone. */
function isToBeClaimed(seen: Observation, { hostname }: WantedName): boolean {
  const claim = claimOn(seen, hostname);
  if (claim?.metadata.deletionTimestamp !== undefined) return false;
  return claim === undefined || claim.spec.zoneId !== seen.request.spec.zoneId;
}

/** What a claim that stays needs: the wish as it is now, and to be given up if it came second. */
function kept(seen: Observation, name: WantedName): readonly Effect[] {
  const claim = claimOn(seen, name.hostname);
  if (claim === undefined) return [];
  const wish = wishOf(seen.request, name);
  const claimed = claim.status?.conditions?.find(({ type }) => type === "Claimed");
  const contested = claim.status?.claimedAt === undefined && claimed?.reason === REASONS.OverlapsAnother.reason;
  return [
    ...(isAsWished(claim, wish) ? [] : [{ type: "wish", claim, wish } as const]),
    ...(contested ? [{ type: "contest", claim } as const] : []),
  ];
}

function refusalWithoutZone(
  { request, taken, namespaceGoes }: Observation,
  { hostname }: WantedName,
  { allowedDomains }: HostnameSettings,
): Refusal | undefined {
  const holder = taken.get(hostname);
  if (holder !== undefined) return heldBy(holder);
  if (namespaceGoes) {
    const message = `namespace ${request.metadata.namespace} is being deleted`;
    return { kind: "denied", reason: REASONS.NamespaceTerminating.reason, message };
  }
  if (!allowedBy(hostname, allowedDomains)) {
    const message = `${hostname} is in none of the domains that are allowed: ${allowedDomains.join(", ")}`;
    return { kind: "denied", reason: REASONS.DomainNotAllowed.reason, message };
  }
  return undefined;
}

/** Claims on hostnames of an earlier spec: they go when those that take their place serve, and www that is not wanted at once. */
function superseded(
  seen: Observation,
  names: readonly [WantedName, ...(readonly WantedName[])],
  refusals: ReadonlyMap<string, Refusal>,
): readonly Effect[] {
  const [main, www] = names;
  const serves = ({ hostname }: WantedName): boolean => isServing(claimOn(seen, hostname));
  const replaced = serves(main) && (www === undefined || serves(www) || refusals.get(www.hostname)?.kind === "denied");
  return seen.own
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(({ spec }) => !names.some(({ hostname }) => hostname === spec.hostname))
    .filter(({ spec }) => replaced || (www === undefined && spec.wish?.redirectTo !== undefined))
    .map((claim) => ({ type: "release", claim }));
}

/** Whether a claim's hostname answers, as it is wished for now. */
export function isServing(claim: Claim | undefined): boolean {
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return false;
  const { metadata, status } = claim;
  return status?.observedGeneration === metadata.generation && isTrue(status?.conditions, "Ready");
}
