import type { Immutable } from "@gatewright/kube";
import { DomainClaim } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { claimName, wildcardOver } from "../names/index.ts";
import { PARENT_LABEL, parentDomain, parentLabel } from "./claim-labels.ts";

/**
 * Claims whose names can overlap with a hostname, as the server has them now: for a name the one wildcard that covers it, for a
 * wildcard all names directly below its domain. Needs access to `get` and `list` DomainClaims.
 */
export async function overlapCandidates(
  client: Client,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly Immutable<DomainClaim>[]> {
  const wildcard = wildcardOver(hostname);
  if (wildcard === undefined) {
    const labelSelector = `${PARENT_LABEL}=${parentLabel(parentDomain(hostname))}`;
    return (await client.for(DomainClaim).list({ labelSelector, signal })).items;
  }
  const covering = await client.for(DomainClaim).find({ name: claimName(wildcard) }, { signal });
  return covering === undefined ? [] : [covering];
}
