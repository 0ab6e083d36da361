import type { JsonObject } from "@gatewright/kube";

/** Which kind of backends the routes of a kind lead to. */
export const BACKEND_KINDS = {
  APIRoute: "Backend",
  GRPCRoute: "GRPCBackend",
  GraphQLRoute: "GraphQLBackend",
} as const;

export type RouteKind = keyof typeof BACKEND_KINDS;
export type BackendKind = (typeof BACKEND_KINDS)[RouteKind];

/** Where a route sends to, as it says it. */
export interface Destination {
  readonly kind: BackendKind;
  /** Of the route. */
  readonly namespace: string;
  readonly host: string;
  readonly port: number;
}

/** What routes have to know of the backend that they lead to. */
export interface BackendTraits {
  readonly cluster: string;
  /** What is added to each request: who the gateway is, for the backend. */
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** What requests that go to the same host have in common. */
  readonly hash: { readonly by: "header" | "cookie" | "query" | "address"; readonly name: string } | undefined;
  /** The cookie that keeps clients at their host. */
  readonly sticky: { readonly cookie: string; readonly ttlMs: number | undefined } | undefined;
  /** Why routes to it are closed. */
  readonly closed: string | undefined;
}

/** The traits of what no object describes. */
export function dialledTraits(cluster: string): BackendTraits {
  return { cluster, requestHeaders: [], hash: undefined, sticky: undefined, closed: undefined };
}

/** The cluster of an address that is dialled as it is. */
export function dialledCluster({ kind, host, port }: Destination): string {
  return `${kind === "GRPCBackend" ? "grpc" : "http"} ${host}:${port}`;
}

/** Under which names a destination is looked for: an object's, then the address of one's only host. */
export function mentionsOf({ kind, namespace, host, port }: Destination): readonly [name: string, address: string] {
  const slash = host.indexOf("/");
  const [space, name] = slash === -1 ? [namespace, host] : [host.slice(0, slash), host.slice(slash + 1)];
  return [`${kind} ${space}/${name}`, `${kind} ${namespace} ${host}:${port}`];
}

/** What a spec says where requests, and copies of them, go. */
export function destinationsOf(kind: RouteKind, namespace: string, spec: JsonObject): Destination[] {
  const { route, mirror } = spec as {
    readonly route?: readonly { readonly destination: Pick<Destination, "host" | "port"> }[];
    readonly mirror?: { readonly destination: Pick<Destination, "host" | "port"> };
  };
  const named = [...(route ?? []), ...(mirror === undefined ? [] : [mirror])];
  return named.map(({ destination: { host, port } }) => ({ kind: BACKEND_KINDS[kind], namespace, host, port }));
}
