import { specMs } from "@gatewright/gateway/rows";
import type { BackendSpec } from "@gatewright/resources";
import { Cluster_LbPolicy } from "@gatewright/gateway-wire/xds";
import type { BackendDraft } from "../backend-draft.ts";

type LoadBalancerSpec = NonNullable<BackendSpec["loadBalancer"]>;

const POLICIES: ReadonlyMap<string, Cluster_LbPolicy> = new Map([
  ["leastConn", Cluster_LbPolicy.LEAST_REQUEST],
  ["leastRequest", Cluster_LbPolicy.LEAST_REQUEST],
  ["random", Cluster_LbPolicy.RANDOM],
  ["consistentHash", Cluster_LbPolicy.RING_HASH],
]);
const STICKY_COOKIE = "gateway-sticky";

/** How requests are spread over the hosts: by turns and weight where nothing else is said. */
export function balancing(spec: LoadBalancerSpec | undefined, draft: BackendDraft): void {
  const algorithm = spec?.algorithm ?? "roundRobin";
  draft.cluster.lbPolicy = POLICIES.get(algorithm) ?? Cluster_LbPolicy.ROUND_ROBIN;
  if (algorithm === "consistentHash") draft.hash = hashOf(spec?.consistentHash ?? {});
  if (algorithm !== "sticky") return;
  const { cookieName = STICKY_COOKIE, ttl } = spec?.sticky ?? {};
  draft.sticky = { cookie: cookieName, ttlMs: specMs(ttl) };
  draft.lacks("loadBalancer.sticky", "the cookie tells the address of the host, and is not kept to TLS");
}

function hashOf({ header, cookie, query }: NonNullable<LoadBalancerSpec["consistentHash"]>) {
  if (header !== undefined) return { by: "header", name: header.toLowerCase() } as const;
  if (cookie !== undefined) return { by: "cookie", name: cookie } as const;
  if (query !== undefined) return { by: "query", name: query } as const;
  return { by: "address", name: "" } as const;
}
