const PREFIX = "type.googleapis.com/";

/** The types of resources that are served, by what they are here. */
export const TYPE_URLS = {
  cluster: `${PREFIX}envoy.config.cluster.v3.Cluster`,
  endpoints: `${PREFIX}envoy.config.endpoint.v3.ClusterLoadAssignment`,
  secret: `${PREFIX}envoy.extensions.transport_sockets.tls.v3.Secret`,
  extension: `${PREFIX}envoy.config.core.v3.TypedExtensionConfig`,
  listener: `${PREFIX}envoy.config.listener.v3.Listener`,
  routes: `${PREFIX}envoy.config.route.v3.RouteConfiguration`,
} as const;

export type ResourceType = keyof typeof TYPE_URLS;

/** Make before break: what is new goes out in this order, so that nothing refers to what is not there yet. */
export const SENDING_ORDER = [
  "cluster",
  "endpoints",
  "secret",
  "extension",
  "listener",
  "routes",
] as const satisfies readonly ResourceType[];

/** Types of which a state-of-the-world answer is all there is: what is not in it, goes. */
export const WHOLE_TYPES: ReadonlySet<ResourceType> = new Set(["cluster", "listener"]);

const BY_URL: ReadonlyMap<string, ResourceType> = new Map(SENDING_ORDER.map((type) => [TYPE_URLS[type], type]));

/** Undefined: nothing of that type is served here. */
export function resourceType(url: string): ResourceType | undefined {
  return BY_URL.get(url);
}
