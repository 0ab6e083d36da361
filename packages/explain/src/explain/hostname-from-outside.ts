import type { Immutable } from "@gatewright/kube";
import { GRPCRoute, HTTPRoute } from "@gatewright/resources";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import type { Explained } from "./explained.ts";
import { requestLink } from "./hostname.ts";
import { httpRouteLink } from "./http-route.ts";
import { outsideLinks } from "./outside.ts";
import type { ParentedRoute } from "./route-state.ts";

type Request = Immutable<GatewayHostnameRequest>;

/** A hostname: its request, the routes that it leads to, and what a caller meets. */
export function explainHostname(known: Known, request: Request): Explained {
  const url = `https://${request.status?.hostname ?? request.spec.hostname}/`;
  const isServing = request.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  const routes = isServing === true ? routeLinks(known, request) : [];
  const trial = isServing === true && !url.includes("*") ? known.trial(url) : undefined;
  return { root: requestLink(known, request, [...routes, ...(trial === undefined ? [] : outsideLinks(trial))]), url };
}

function routeLinks(known: Known, request: Request): readonly Cause[] {
  const { namespace = "" } = request.metadata;
  const hostnames = request.status?.hostnames ?? [];
  const namespaces = new Set([namespace, ...(request.spec.routePolicy?.namespaces ?? [])]);
  const found: Immutable<ParentedRoute>[] = [];
  const unread: Cause[] = [];
  for (const each of namespaces) {
    for (const resource of [HTTPRoute, GRPCRoute]) {
      const seen = known.list<ParentedRoute>(resource, { namespace: each });
      if (seen.state === "known") found.push(...seen.items.filter((route) => leadsFrom(route, hostnames)));
      else if (seen.problem.reason !== "NotServed") unread.push(unreadLink("Routes", seen.problem));
    }
  }
  if (found.length > 0) return found.slice(0, 5).map((route) => httpRouteLink(known, route, { hostname: "known" }));
  if (unread.length > 0) return unread.slice(0, 1);
  const message = `No HTTPRoute of ${[...namespaces].join(", ")} names it, so it answers 404.`;
  const example = request.status?.parents?.[0];
  const parent = example === undefined ? "" : ` with the parent ${example.namespace}/${example.name}`;
  const next = [{ text: `Make an HTTPRoute for ${hostnames.join(" or ")}${parent}, which leads to your Service.` }];
  return [link({ title: "Routes", state: "warning", reason: "NoRoute", message, next })];
}

function leadsFrom({ spec }: Immutable<ParentedRoute>, hostnames: readonly string[]): boolean {
  return (spec.hostnames ?? []).some((own) =>
    hostnames.some((each) => each === own || (each.startsWith("*.") && own.endsWith(each.slice(1)))),
  );
}
