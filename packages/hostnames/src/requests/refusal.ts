import { keyOf } from "@gatewright/kube";
import { REASONS } from "../reasons.ts";
import { ownerOf } from "./observation.ts";
import type { Claim } from "./observation.ts";

/** Why a hostname is not claimed. `denied`: it may not be. `waiting`: not yet. `failed`: it could not be found out whether it may. */
export type Refusal = { readonly reason: string; readonly message: string } & (
  | {
      readonly kind: "denied";
      /** Nothing that is watched tells when it is otherwise, so it is looked at again after a while. */
      readonly looksAgain?: boolean;
    }
  | { readonly kind: "waiting" }
  | { readonly kind: "failed"; readonly error: unknown }
);

/** Somebody else holds the very name. */
export function heldBy(claim: Claim): Refusal {
  const message = `${claim.spec.hostname} is held by GatewayHostnameRequest ${keyOf(ownerOf(claim))}`;
  return { kind: "denied", reason: REASONS.ClaimedByAnother.reason, message };
}

/** Somebody else holds a wildcard over the name, or a name that the wildcard covers. */
export function overlappedBy(hostname: string, claim: Claim): Refusal {
  const holder = `GatewayHostnameRequest ${keyOf(ownerOf(claim))}`;
  const message = `${hostname} overlaps with ${claim.spec.hostname}, which ${holder} in another namespace holds`;
  return { kind: "denied", reason: REASONS.OverlapsAnother.reason, message };
}

/** The same hostname, as it was asked for before, has to go first. */
export function releasedFirst(claim: Claim): Refusal {
  const message = `the earlier claim on ${claim.spec.hostname}, in hosted zone ${claim.spec.zoneId}, is given up first`;
  return { kind: "waiting", reason: REASONS.ReleasingFirst.reason, message };
}

/** An effect found, live, that a hostname cannot be had. */
export class RefusedError extends Error {
  readonly hostname: string;
  readonly refusal: Refusal;

  constructor(hostname: string, refusal: Refusal) {
    super(refusal.message);
    this.name = "RefusedError";
    this.hostname = hostname;
    this.refusal = refusal;
  }
}
