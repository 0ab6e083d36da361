import type { JsonObject } from "@gatewright/kube";
import { hostAddress } from "../resolve/steady-address.ts";
import type { BackendKind } from "../surroundings.ts";
import type { Claim } from "./claim.ts";

/**
 * What a backend wants: that nobody in its namespace speaks to its hosts by another protocol. Backends of one protocol may share hosts,
 * and other namespaces are not concerned: nobody may keep others from an address by naming it.
 */
export function backendClaims(
  kind: BackendKind,
  namespace: string,
  spec: JsonObject,
  clusterDomain: string,
): readonly Claim[] {
  const { hosts } = spec;
  if (!Array.isArray(hosts)) return [];
  const side = kind === "GRPCBackend" ? "gRPC" : "HTTP";
  const claims = new Map<string, Claim>();
  for (const host of hosts) {
    const address = hostAddress(host, namespace, clusterDomain);
    if (address === undefined) continue;
    const key = `address ${namespace} ${address}`;
    claims.set(key, { key, side, text: `${address} by ${side}` });
  }
  return [...claims.values()];
}
