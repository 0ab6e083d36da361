import { ClusterLoadAssignmentSchema, ClusterSchema } from "@gatewright/gateway-wire/xds";
import type { BackendSpec } from "@gatewright/resources";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { resourceOf } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { BackendDraft } from "./backend-draft.ts";
import { backendTls } from "./cluster/backend-tls.ts";
import { balancing } from "./cluster/balancing.ts";
import { clusterMessage } from "./cluster/cluster-message.ts";
import { credentials } from "./cluster/credentials.ts";
import { areAddresses, loadAssignment } from "./cluster/endpoints.ts";
import { failureDetection } from "./cluster/failure-detection.ts";
import { healthChecks, healthPort } from "./cluster/health-checks.ts";
import type { HealthCheckSpec } from "@gatewright/gateway/rows";
import { thresholds } from "./cluster/thresholds.ts";
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
  /** `10.0.0.7:8080`, as it is written, of its only host. Undefined: it has several, and stands for none of them. */
  readonly address: string | undefined;
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
  const { hosts } = spec;
  const isGrpc = deliverable.kind === "GRPCBackend";
  const http2 = isGrpc || spec.protocol === "http2";
  const health = spec.healthCheck as HealthCheckSpec | undefined;
  const draft = new BackendDraft();
  balancing(spec.loadBalancer, draft);
  failureDetection(spec, draft);
  const idleTimeoutMs = thresholds(spec, draft);
  const shown = spec.authentication === undefined ? undefined : credentials(spec.authentication, draft);
  const addresses = hosts.map(({ address }) => address);
  if (spec.tls !== undefined) backendTls(spec.tls, { addresses, http2, shown }, draft);
  if (health !== undefined) healthChecks(health, { isGrpc, host: addresses[0] ?? "" }, draft);
  otherFields(spec, draft);
  const checkedAt = healthPort(health);
  const basics = {
    name,
    hosts,
    http2,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    healthPort: checkedAt,
  };
  const { requestHeaders, hash, sticky, closed, shortfalls } = draft;
  const traits = { cluster: name, requestHeaders, hash, sticky, closed };
  return {
    deliverable,
    cluster: resourceOf(ClusterSchema, name, clusterMessage(basics, draft.cluster), [name]),
    endpoints: endpointsOf(basics, [name]),
    traits,
    signature: JSON.stringify(traits),
    address: onlyAddress(hosts),
    shortfalls,
  };
}

/** What Envoy does not do for backends. */
function otherFields(spec: BackendSpec, draft: BackendDraft): void {
  const { rateLimit, requestLimits } = spec;
  if ((requestLimits?.maxBodySize ?? 0) > 0 || (requestLimits?.maxHeaderSize ?? 0) > 0)
    draft.close("requestLimits", "sizes are limited by routes only");
  if (rateLimit?.enabled === true) draft.close("rateLimit", "requests are counted by routes only");
  if (spec.encoding !== undefined) draft.lacks("encoding", "formats of bodies are not changed");
  if (spec.cache?.enabled === true) draft.lacks("cache", "answers are not kept");
  if (spec.transform !== undefined) draft.lacks("transform", "has no effect");
}

/** Cluster and endpoints of an address that no object describes. */
export function dialledResources(
  name: string,
  { kind, host, port }: Destination,
): { readonly cluster: Resource; readonly endpoints: Resource | undefined } {
  const basics = {
    name,
    hosts: [{ address: host, port }],
    http2: kind === "GRPCBackend",
    healthPort: undefined,
  };
  return { cluster: resourceOf(ClusterSchema, name, clusterMessage(basics), []), endpoints: endpointsOf(basics, []) };
}

function endpointsOf(basics: Parameters<typeof clusterMessage>[0], keys: readonly string[]): Resource | undefined {
  if (!areAddresses(basics.hosts)) return undefined;
  const { name, hosts } = basics;
  return resourceOf(ClusterLoadAssignmentSchema, name, loadAssignment(name, hosts, basics.healthPort), keys);
}

function onlyAddress([first, ...others]: readonly { readonly address: string; readonly port: number }[]):
  | string
  | undefined {
  return first === undefined || others.length > 0 ? undefined : `${first.address}:${first.port}`;
}
