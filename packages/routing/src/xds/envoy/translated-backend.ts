import { ClusterLoadAssignmentSchema, ClusterSchema } from "@gatewright/gateway-wire/xds";
import type { BackendSpec } from "@gatewright/resources";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { resourceOf } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { clusterMessage } from "./cluster/cluster-message.ts";
import { areAddresses, loadAssignment } from "./cluster/endpoints.ts";
import type { BackendHost } from "./cluster/endpoints.ts";
import { dialledTraits } from "./destinations.ts";
import type { BackendTraits, Destination } from "./destinations.ts";
import type { Shortfall } from "./route-draft.ts";

/** What became of a backend. */
export interface TranslatedBackend {
  readonly deliverable: Deliverable;
  readonly cluster: Resource;
  /** Undefined: the cluster says its hosts itself. */
  readonly endpoints: Resource | undefined;
  readonly traits: BackendTraits;
  /** Equal for backends that routes cannot tell apart. */
  readonly signature: string;
  /** `10.0.0.7:8080`, as they are written. */
  readonly addresses: readonly string[];
  readonly shortfalls: readonly Shortfall[];
}

const KNOWN = new WeakMap<Deliverable, TranslatedBackend>();

/** The cluster of a backend, called by the backend's own key, whatever routes lead to it. Made once for all clients. */
export function translatedBackend(deliverable: Deliverable): TranslatedBackend {
  let known = KNOWN.get(deliverable);
  if (known === undefined) KNOWN.set(deliverable, (known = translate(deliverable)));
  return known;
}

function translate(deliverable: Deliverable): TranslatedBackend {
  const name = deliverableKey(deliverable);
  // The feed has examined it.
  const spec = deliverable.spec as unknown as BackendSpec;
  const http2 = deliverable.kind === "GRPCBackend" || spec.protocol === "http2";
  const { hosts } = spec;
  const traits = dialledTraits(name);
  return {
    deliverable,
    cluster: resourceOf(ClusterSchema, name, clusterMessage({ name, hosts, http2 }), [name]),
    endpoints: endpointsOf(name, hosts, [name]),
    traits,
    signature: JSON.stringify(traits),
    addresses: hosts.map(({ address, port }) => `${address}:${port}`),
    shortfalls: [],
  };
}

/** Cluster and endpoints of an address that no object describes. */
export function dialledResources(
  name: string,
  { kind, host, port }: Destination,
): { readonly cluster: Resource; readonly endpoints: Resource | undefined } {
  const hosts = [{ address: host, port }];
  const cluster = clusterMessage({ name, hosts, http2: kind === "GRPCBackend" });
  return { cluster: resourceOf(ClusterSchema, name, cluster, []), endpoints: endpointsOf(name, hosts, []) };
}

function endpointsOf(name: string, hosts: readonly BackendHost[], keys: readonly string[]): Resource | undefined {
  if (!areAddresses(hosts)) return undefined;
  return resourceOf(ClusterLoadAssignmentSchema, name, loadAssignment(name, hosts, { weighted: false }), keys);
}
