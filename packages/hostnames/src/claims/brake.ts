import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { DomainClaim } from "@gatewright/resources";
import { REASONS } from "../reasons.ts";
import type { HostnameSettings } from "../settings.ts";

type Claim = Immutable<DomainClaim>;

/** On the edge namespace, an RFC 3339 time: until then claims go however many there are. A person writes it. */
export const ALLOW_DELETIONS_UNTIL = "gateway.opendi.com/allow-deletions-until";

export interface BrakeInput {
  /** All claims that are being deleted. */
  readonly deleting: Iterable<Claim>;
  /** What {@link ALLOW_DELETIONS_UNTIL} says. What is no time allows nothing. */
  readonly allowUntil: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly settings: HostnameSettings["brake"];
}

/**
 * Whether the deletion of a claim waits for a person's word: more claims than `deletions` were given up within some `windowMs` of its
 * own deletion. Pure. What was held stays held, as its Ready condition remembers (reason DeletionHeld), also when others that
 * belonged to the burst are gone. What is being undone already is never held.
 */
export function isHeld(claim: Claim, { deleting, allowUntil, now, settings }: BrakeInput): boolean {
  if (claim.status?.released !== undefined) return false;
  const until = allowUntil === undefined ? undefined : parseTime(allowUntil);
  if (until !== undefined && now < until) return false;
  const ready = claim.status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.reason === REASONS.DeletionHeld.reason) return true;
  const own = deletedAt(claim);
  if (own === undefined) return false;
  const times = Array.from(deleting, deletedAt)
    .filter((time) => time !== undefined)
    .filter((time) => Math.abs(time - own) <= settings.windowMs)
    .sort((a, b) => a - b);
  return times.some((first, index) => {
    const beyond = times[index + settings.deletions];
    return (
      beyond !== undefined && beyond - first <= settings.windowMs && first <= own && own <= first + settings.windowMs
    );
  });
}

function deletedAt({ metadata: { deletionTimestamp } }: Claim): number | undefined {
  return deletionTimestamp === undefined ? undefined : parseTime(deletionTimestamp);
}
