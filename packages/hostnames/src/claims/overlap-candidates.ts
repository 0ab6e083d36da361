import type { Immutable } from "@gatewright/kube";
import { DomainClaim } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { claimName, overlaps, wildcardOver, wildcardsReaching } from "../names/index.ts";

type Claim = Immutable<DomainClaim>;

/**
 * Claims whose names overlap with a hostname, as the server has them now: for a name the wildcards above it, which are asked for one by
 * one; for a wildcard what is above and below it, for which all claims are looked through. Needs access to `get` and `list` DomainClaims.
 */
export async function overlapCandidates(
  client: Client,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly Claim[]> {
  const claims = client.for(DomainClaim);
  let found: Claim[] = [];
  if (wildcardOver(hostname) !== undefined) {
    // One after the other: a tenant's name may have dozens of labels.
    for (const wildcard of wildcardsReaching(hostname)) {
      const claim = await claims.find({ name: claimName(wildcard) }, { signal });
      if (claim !== undefined) found.push(claim);
    }
    return found;
  }
  await claims.stream({ signal, restart: () => void (found = []) }, (claim) => {
    if (overlaps(claim.spec.hostname, hostname)) found.push(claim);
  });
  return found;
}
