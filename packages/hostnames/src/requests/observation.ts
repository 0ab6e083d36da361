import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { DomainClaim } from "@gatewright/resources";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import { claimName } from "../names/index.ts";
import { wantedNames } from "./wanted-names.ts";
import type { WantedNames } from "./wanted-names.ts";

export type Request = Immutable<GatewayHostnameRequest>;
export type Claim = Immutable<DomainClaim>;

/** What a request's claims and those of others are: all that the cache knows. */
export interface Observation {
  readonly request: Request;
  readonly wanted: WantedNames;
  /** Claims that this very request holds, those that are being deleted too. */
  readonly own: readonly Claim[];
  /** By hostname: claims of others on what the request wants. */
  readonly taken: ReadonlyMap<string, Claim>;
  /** Whether the request's namespace is being deleted. */
  readonly namespaceGoes: boolean;
}

/** The index of claims by the key of the request that they name as their owner. */
export const BY_REQUEST = "request";

/** The request that a claim names as its owner. */
export function ownerOf({ spec: { ownerRef } }: Claim): { readonly namespace: string; readonly name: string } {
  return { namespace: ownerRef.namespace, name: ownerRef.name };
}

/** Keys of {@link BY_REQUEST}. */
export function requestKeysOf(claim: Claim): readonly string[] {
  return [keyOf(ownerOf(claim))];
}

/** Reads it from the cache, which shows this process's own writes. At once, so that nothing changes while it is read. */
export function observe(
  { cached, key }: Pick<ReconcileContext<GatewayHostnameRequest>, "cached" | "key">,
  request: Request,
): Observation {
  const { uid, namespace = "" } = request.metadata;
  const isOwn = (claim: Claim): boolean => claim.spec.ownerRef.uid === uid;
  const wanted = wantedNames(request.spec);
  const taken = new Map<string, Claim>();
  for (const { hostname } of "names" in wanted ? wanted.names : []) {
    const claim = cached(DomainClaim).get({ name: claimName(hostname) });
    if (claim !== undefined && !isOwn(claim)) taken.set(hostname, claim);
  }
  return {
    request,
    wanted,
    own: cached(DomainClaim).byIndex(BY_REQUEST, key).filter(isOwn),
    taken,
    namespaceGoes: cached(core.Namespace).get({ name: namespace })?.metadata.deletionTimestamp !== undefined,
  };
}

/** The request's claim on a hostname: one that stays if there is one. */
export function claimOn({ own }: Observation, hostname: string): Claim | undefined {
  const claims = own.filter(({ spec }) => spec.hostname === hostname);
  return claims.find(({ metadata }) => metadata.deletionTimestamp === undefined) ?? claims[0];
}
