import { parseGoDuration, parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { GatewayHostnameRequest } from "@gatewright/resources";

/** When a request has lived as long as its `ttl` says, in milliseconds since the epoch; undefined when it lives for good. */
export function expiryOf({ metadata, spec }: Immutable<GatewayHostnameRequest>): number | undefined {
  const created = parseTime(metadata.creationTimestamp ?? "");
  const ttl = spec.ttl === undefined ? undefined : parseGoDuration(spec.ttl);
  return created === undefined || ttl === undefined ? undefined : created + Number(ttl / 1_000_000n);
}
