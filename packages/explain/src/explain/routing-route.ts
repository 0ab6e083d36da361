import { serviceName } from "@gatewright/routing/service-name";
import { onlyAddress, steadyAddress } from "@gatewright/routing/steady-address";
import type { ApiObject, Json, Resource } from "@gatewright/kube";
import { Backend, GATEWAY_LABEL, GraphQLBackend, GRPCBackend } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import type { AnyCondition } from "../condition-state.ts";
import type { Known } from "../known.ts";
import { conditionLink, link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { gatewayLinks } from "./connected-gateways.ts";
import { objectLink } from "./object-link.ts";
import type { Conditioned } from "./object-link.ts";
import { secretCertificateLinks } from "./secret-certificate.ts";
import { serviceLink } from "./service.ts";

interface Destination {
  readonly destination: { readonly host: string; readonly port: number };
}

/** What the three kinds of routes have in common. */
export type RoutingRoute = Conditioned & {
  readonly spec: { readonly route?: readonly Destination[]; readonly tls?: { readonly secretName?: string } };
};

type AnyBackend = Conditioned & {
  readonly spec: { readonly hosts?: readonly { readonly address: string; readonly port: number }[] };
};

const WORDS = ["routing", "found"] as const;
const CLUSTER_DOMAIN = "cluster.local";

const BACKENDS: Readonly<Record<string, Resource>> = {
  APIRoute: Backend,
  GRPCRoute: GRPCBackend,
  GraphQLRoute: GraphQLBackend,
};

/** A route of `avapigw.io`: whether gateways would take it, where it leads, and who serves it. */
export function routingRouteLink(known: Known, route: RoutingRoute): Cause {
  const { namespace = "", name = "", labels } = route.metadata;
  const accepted = partLinks(known, route, ["Accepted", "ResolvedRefs"]);
  const secret = route.spec.tls?.secretName;
  const certificates = secret === undefined ? [] : secretCertificateLinks(known, { namespace, name: secret });
  const isTaken = accepted.every(({ state }) => state === "ok");
  const gateways = isTaken ? gatewayLinks(known, `${route.kind} ${namespace}/${name}`, labels?.[GATEWAY_LABEL]) : [];
  const supported = partLinks(known, route, ["Supported"]).map(asWarning);
  return objectLink(route, {
    words: WORDS,
    now: known.now,
    on: [...destinationLinks(known, route), ...certificates, ...accepted, ...gateways, ...supported],
  });
}

/** A backend of `avapigw.io` and the Services that its hosts name. */
export function backendLink(known: Known, backend: AnyBackend): Cause {
  const { namespace = "" } = backend.metadata;
  const on = (backend.spec.hosts ?? []).slice(0, 8).flatMap(({ address, port }) => {
    const named = serviceName(address, namespace, CLUSTER_DOMAIN);
    return named?.certain === true ? [serviceLink(known, named, port)] : [];
  });
  const parts = partLinks(known, backend, ["Accepted", "ResolvedRefs"]);
  return objectLink(backend, { words: WORDS, now: known.now, on: [...on, ...parts] });
}

/** Conditions that say no, each as a link. */
function partLinks(known: Known, { metadata, status }: Conditioned, types: readonly string[]): readonly Cause[] {
  return (status?.conditions ?? [])
    .filter((condition: AnyCondition) => types.includes(condition.type) && condition.status !== "True")
    .map((condition) =>
      conditionLink({
        title: condition.type,
        condition,
        generation: metadata.generation,
        words: WORDS,
        now: known.now,
      }),
    );
}

function asWarning(part: Cause): Cause {
  return part.state === "broken" ? { ...part, state: "warning" } : part;
}

function destinationLinks(known: Known, route: RoutingRoute): readonly Cause[] {
  const { namespace = "" } = route.metadata;
  const seen = new Set<string>();
  return (route.spec.route ?? []).flatMap(({ destination: { host, port } }) => {
    const key = `${host}:${port}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return destinationLink(known, BACKENDS[route.kind] ?? Backend, namespace, host, port);
  });
}

/** A destination is a backend of the namespace, by its name or its only host, a Service, or an address that nothing is known of. */
function destinationLink(
  known: Known,
  resource: Resource,
  namespace: string,
  host: string,
  port: number,
): readonly Cause[] {
  const [where, name] = host.includes("/") ? (host.split("/", 2) as [string, string]) : [namespace, host];
  const ref = { namespace: where, name };
  const backend = isName(name) ? known.get<ApiObject>(resource, ref) : ({ state: "absent" } as const);
  if (backend.state === "present") return [backendLink(known, backend.object as AnyBackend)];
  const title = `${resource.kind} ${name}`;
  if (backend.state === "unknown") return [unreadLink(title, backend.problem, subjectOf(resource, ref))];
  if (host.includes("/")) {
    const message = `There is no ${resource.kind} ${host}.`;
    return [link({ title, subject: subjectOf(resource, ref), state: "broken", reason: "NotFound", message })];
  }
  const described = backendAt(known, resource, namespace, steadyAddress(host, port, namespace, CLUSTER_DOMAIN));
  if (described !== undefined) return [backendLink(known, described)];
  const named = serviceName(host, namespace, CLUSTER_DOMAIN);
  return named?.certain === true ? [serviceLink(known, named, port)] : [];
}

/** The backend whose only host this is; of several the first by name. */
function backendAt(known: Known, resource: Resource, namespace: string, address: string): AnyBackend | undefined {
  const seen = known.list<ApiObject>(resource, { namespace });
  if (seen.state === "unknown") return undefined;
  const [first] = seen.items
    .map((object) => object as AnyBackend)
    .filter(({ spec }) => onlyAddress(spec as Json, namespace, CLUSTER_DOMAIN) === address)
    .toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  return first;
}

function isName(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(text);
}
