import type { GatewayName } from "../stream/identity/identity-of.ts";

/** The DNS name in a gateway's certificate. No namespace has a dot in it, so it says one gateway alone. */
export function gatewayHost({ namespace, name }: GatewayName): string {
  return `${name}.${namespace}`;
}

/** The URI in a gateway's certificate. */
export function gatewayUri({ namespace, name }: GatewayName): string {
  return `spiffe://gatewright/ns/${namespace}/gateway/${name}`;
}
