import type { Immutable } from "@gatewright/kube";
import type { GRPCRoute, HTTPRoute } from "@gatewright/resources";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import { commonHostnames } from "./common-hostnames.ts";
import { listenerSetName } from "./pool-names.ts";

export type Route = Immutable<HTTPRoute> | Immutable<GRPCRoute>;

/** What a load balancer has to carry, as live objects say. */
export interface GatewayLoad {
  /** Certificates of the hostnames there, each once. */
  readonly certificates: ReadonlySet<string>;
  readonly rules: number;
  readonly targetGroups: number;
  /** Hostnames: each is a listener. */
  readonly hostnames: number;
}

/** The redirect of port 80 and the answer to unknown names. */
const OWN_RULES = 2;
const GROUP = "gateway.networking.k8s.io";

export const EMPTY_LOAD: GatewayLoad = { certificates: new Set(), rules: OWN_RULES, targetGroups: 0, hostnames: 0 };

/**
 * What a Gateway carries for the claims that name it and the routes of the cluster that lead there. A hostname without a route counts
 * as one rule and one target group, since that is the least that its route will take.
 */
export function gatewayLoad(
  gateway: { readonly namespace: string; readonly name: string },
  claims: readonly Claim[],
  routes: readonly Route[],
): GatewayLoad {
  let [rules, targetGroups] = [OWN_RULES, 0];
  const routed = new Set<string>();
  for (const route of routes) {
    const open = claims.filter((claim) => isOpenTo(claim, route, gateway));
    const hostnames = new Set<string>();
    for (const { spec } of open) {
      const common = commonHostnames(spec.hostname, route.spec.hostnames);
      if (common.length > 0) routed.add(spec.hostname);
      for (const each of common) hostnames.add(each);
    }
    if (hostnames.size === 0) continue;
    rules += hostnames.size * matchesOf(route);
    targetGroups += backendsOf(route);
  }
  for (const claim of claims) {
    if (routed.has(claim.spec.hostname)) continue;
    rules += 1;
    if (wishOf(claim).redirectTo === undefined) targetGroups += 1;
  }
  const certificates = new Set(claims.flatMap(({ status }) => status?.certificate?.arn ?? []));
  return { certificates, rules, targetGroups, hostnames: claims.length };
}

/** Whether the listener of a claim on this Gateway takes the route. */
function isOpenTo(claim: Claim, route: Route, gateway: { namespace: string; name: string }): boolean {
  const { namespace = "" } = route.metadata;
  const { namespaces, kinds } = wishOf(claim);
  if (!namespaces.includes(namespace) || (kinds !== undefined && !kinds.some((kind) => kind === route.kind))) {
    return false;
  }
  const { name = "" } = claim.metadata;
  return (route.spec.parentRefs ?? []).some((parent) => {
    if (parent.group !== GROUP || (parent.namespace ?? namespace) !== gateway.namespace) return false;
    if (parent.kind === "ListenerSet") return parent.name === listenerSetName(gateway.name, name);
    const meant = parent.kind === "Gateway" && parent.name === gateway.name;
    return meant && (parent.sectionName ?? name) === name && (parent.port ?? 443) === 443;
  });
}

/** A load balancer has a rule for each match of each rule, a prefix of paths included. */
function matchesOf({ spec }: Route): number {
  let matches = 0;
  for (const rule of spec.rules ?? []) matches += Math.max(1, rule.matches?.length ?? 0);
  return matches;
}

/** Routes share no target groups; one route has one for each port of a Service. */
function backendsOf({ metadata, spec }: Route): number {
  const backends = new Set<string>();
  for (const { backendRefs = [] } of spec.rules ?? []) {
    for (const { namespace, name, port } of backendRefs) {
      backends.add(`${namespace ?? metadata.namespace ?? ""}/${name}:${port ?? ""}`);
    }
  }
  return backends.size;
}
