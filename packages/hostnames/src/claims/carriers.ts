import type { Certificate } from "@gatewright/aws";
import { DomainClaim } from "@gatewright/resources";
import { isOver } from "./certificate-names.ts";
import { ownerOf, staysLonger } from "./claim.ts";
import type { Claim } from "./claim.ts";
import { BY_CERTIFICATE } from "./indexes.ts";
import { isOwn } from "./own-tags.ts";
import type { Cached, ClaimWorld } from "./world.ts";

/**
 * Certificates that keep needing the validation record of a name when a claim goes: those of others, and own ones that a claim uses.
 * Own ones that nobody uses are about to go, or have gone already and listings do not show it yet: who took the record for needed
 * because of them would leave it behind.
 */
export function carriersBeside(
  world: ClaimWorld,
  cached: Cached,
  claim: Claim,
  name: string,
): readonly Certificate[] | "unknown" {
  const { certificates, settings } = world;
  const carriers = certificates.carrying(name, ownerOf(claim));
  if (carriers === "unknown") return "unknown";
  const needing: Certificate[] = [];
  for (const carrier of carriers) {
    if (isOver(carrier)) continue;
    const known = certificates.get(carrier.arn);
    // Not of this region, so certainly of somebody else.
    const isForeign = typeof known === "string" || (known.tags !== undefined && !isOwn(known, settings.cluster));
    if (!isForeign && known.tags === undefined) return "unknown";
    const users = cached(DomainClaim).byIndex(BY_CERTIFICATE, carrier.arn);
    if (isForeign || users.some((other) => staysLonger(other, claim))) needing.push(carrier);
  }
  return needing;
}
