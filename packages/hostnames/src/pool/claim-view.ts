import type { Claim } from "../claims/claim.ts";

/** Steps of giving up a hostname during which its listener is still there. */
const BEFORE_LISTENER: readonly string[] = ["alias", "drain"];

/** The index of claims by the Gateways that their status names. */
export const BY_GATEWAY = "pool-gateway";

/** Gateways that a claim is placed on or leaving. */
export function gatewaysOf({ status }: Claim): readonly string[] {
  const leaving = (status?.leaving ?? []).map(({ gateway }) => gateway);
  return status?.gateway === undefined ? leaving : [...new Set([status.gateway, ...leaving])];
}

/** Whether a claim that names the Gateway is to be served there: until its release has come to the listener. */
export function isToBeServed({ status }: Claim): boolean {
  return status?.released === undefined || BEFORE_LISTENER.includes(status.released.step);
}

/** Oldest first: by when the hostname was taken, then by name. */
export function olderFirst(a: Claim, b: Claim): number {
  const age = ({ metadata, status }: Claim): string =>
    `${status?.claimedAt ?? metadata.creationTimestamp ?? ""} ${metadata.name ?? ""}`;
  const [left, right] = [age(a), age(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
