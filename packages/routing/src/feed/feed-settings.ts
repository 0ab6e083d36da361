/** What is decided about the feed. */
export interface FeedSettings {
  /** Services and backends of other namespaces: `grant` needs a ReferenceGrant there, `allow` needs nothing. */
  readonly crossNamespace: "grant" | "allow";
  /** What it is when a destination is neither a backend nor a Service of its namespace. */
  readonly missingBackends: "warn" | "refuse";
  /** The cluster's DNS domain, for destinations such as `web.shop.svc.cluster.local`. */
  readonly clusterDomain: string;
  /** How a gateway reaches an endpoint of the cluster; undefined: not at all. Where gateways are not in its network it is elsewhere. */
  readonly reachable: (
    address: string,
    port: number,
  ) => { readonly address: string; readonly port: number } | undefined;
}

export const DEFAULT_FEED_SETTINGS: FeedSettings = {
  crossNamespace: "grant",
  missingBackends: "warn",
  clusterDomain: "cluster.local",
  reachable: (address, port) => ({ address, port }),
};
