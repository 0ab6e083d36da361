import type { Immutable } from "@gatewright/kube";
import type { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { GRANT_NAME } from "../policy/policy-settings.ts";

/** Namespaces whose routes a claim lets use its hostname: none until it is held, and none from when it is being given up. */
export function namespacesOf({ metadata, spec, status }: Immutable<DomainClaim>): readonly string[] {
  if (metadata.deletionTimestamp !== undefined) return [];
  if (status?.claimedAt === undefined || status.released !== undefined) return [];
  // What only leads elsewhere is served by the operator's own route.
  if (spec.wish?.redirectTo !== undefined) return [];
  return spec.wish?.namespaces ?? [spec.ownerRef.namespace];
}

/** Where platform people wrote a grant, and for which namespace, as one text; nothing for the operator's own grants. */
export function placesOf({ metadata, spec }: Immutable<HostnameGrant>): readonly string[] {
  const { name, namespace = "", deletionTimestamp } = metadata;
  return name === GRANT_NAME || deletionTimestamp !== undefined ? [] : [placeOf(namespace, spec.namespace)];
}

/** The text under which {@link placesOf} files grants. */
export function placeOf(written: string, granted: string): string {
  return `${written}/${granted}`;
}

/** The hostnames of claims and grants, each once, always in the same order. */
export function hostnamesOf(
  claims: readonly Immutable<DomainClaim>[],
  grants: readonly Immutable<HostnameGrant>[],
): readonly string[] {
  const names = new Set([
    ...claims.map(({ spec }) => spec.hostname),
    ...grants.flatMap(({ spec }) => [...spec.hostnames]),
  ]);
  return [...names].sort();
}
