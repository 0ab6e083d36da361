import { createHash } from "node:crypto";

/** The pool's controller, and the manager of the fields that it writes. */
export const POOL_CONTROLLER = "gateway-pool";

/** On everything that the pool has made. */
export const POOL_LABEL = "gateway.opendi.com/pool";
/** On everything that belongs to a Gateway of the pool: its name. */
export const GATEWAY_LABEL = "gateway.opendi.com/gateway";

export const VISIBILITY_ANNOTATION = "gateway.opendi.com/visibility";
export const WAF_ANNOTATION = "gateway.opendi.com/waf-arn";
/** Set by people: the Gateway keeps what it has and gets no more hostnames. */
export const DRAINING_ANNOTATION = "gateway.opendi.com/draining";
/** Since when a Gateway has no hostname. */
export const EMPTY_ANNOTATION = "gateway.opendi.com/empty-since";
/** The Gateway is about to be removed and gets no more hostnames. */
export const RETIRING_ANNOTATION = "gateway.opendi.com/retiring";

/** What the load balancer may have, for people to see. */
export const LIMITS_ANNOTATION = "gateway.opendi.com/limits";

/** The hosted zone that alias records name for the load balancer, where its name does not tell. */
export const ZONE_ANNOTATION = "gateway.opendi.com/load-balancer-zone";

/** Listeners that every Gateway of the pool has; hostnames have a dot, so none is called so. */
export const HTTP_LISTENER = "http";
export const HTTPS_LISTENER = "https";

const NUMBERED = /^gw-(\d{2,})$/;
const OF_GATEWAY = /^(gw-\d{2,})-/;
const LONGEST_NAME = 253;

/** `gw-01`, `gw-12`, `gw-123`. */
export function gatewayName(number: number): string {
  return `gw-${String(number).padStart(2, "0")}`;
}

/** The number in a name of the pool; undefined for other names. */
export function gatewayNumber(name: string): number | undefined {
  const digits = NUMBERED.exec(name)?.[1];
  return digits === undefined || gatewayName(Number(digits)) !== name ? undefined : Number(digits);
}

export function configurationName(gateway: string): string {
  return `${gateway}-config`;
}

/** The route from port 80 to HTTPS. */
export function redirectName(gateway: string): string {
  return `${gateway}-redirect`;
}

/** The route for unknown names, and what it answers. */
export function fallbackName(gateway: string): string {
  return `${gateway}-fallback`;
}

export function targetsName(gateway: string): string {
  return `${gateway}-targets`;
}

/** A hostname's ListenerSet or redirect on a Gateway: there are two while it moves, so the Gateway is in the name. */
export function listenerSetName(gateway: string, claim: string): string {
  const name = `${gateway}-${claim}`;
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash("sha256").update(claim).digest("hex").slice(0, 16);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1).replace(/[^a-z0-9]+$/, "")}-${hash}`;
}

/** The Gateway whose ListenerSet has this name. */
export function gatewayOfListenerSet(name: string): string | undefined {
  return OF_GATEWAY.exec(name)?.[1];
}
