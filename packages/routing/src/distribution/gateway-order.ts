import type { GatewayIdentity } from "./connected-gateway.ts";

/** The order in which people are told of gateways. */
export function byName(
  one: Pick<GatewayIdentity, "namespace" | "name">,
  other: Pick<GatewayIdentity, "namespace" | "name">,
): number {
  return inOrder(one.namespace, other.namespace) || inOrder(one.name, other.name);
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
