import type { HTTPRoute, ListenerRuleConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import { fallbackName, HTTP_LISTENER, HTTPS_LISTENER, listenerSetName, redirectName } from "./pool-names.ts";

type Filter = NonNullable<NonNullable<NonNullable<Applied<HTTPRoute>["spec"]>["rules"]>[number]["filters"]>[number];

/** The answer to {@link nobodysName}: the same as load balancers give to all names without a rule. */
export const NOT_FOUND: NonNullable<Applied<ListenerRuleConfiguration>["spec"]> = {
  actions: [{ type: "fixed-response", fixedResponseConfig: { statusCode: 404, contentType: "text/plain" } }],
};

/**
 * A name that no zone can have. With none the route would be for all names, and load balancer controllers before 3.4.1 order rules by
 * path before they look at names: it would be tried before everybody's `/`.
 */
function nobodysName(gateway: string): string {
  return `${gateway}.gatewright.invalid`;
}

/**
 * Routes of the pool's own: everybody from port 80 to HTTPS, one for nobody on HTTPS, and redirects of single hostnames. Load
 * balancers have a listener only where there is a route, so the first two keep the listeners and their certificates there; names that
 * no route is for get the 404 of the listener itself.
 */
export function ownRoutes(
  gateway: string,
  served: readonly Claim[],
  { secure, inSets }: { readonly secure: boolean; readonly inSets: boolean },
): readonly Applied<HTTPRoute>[] {
  // Load balancer controllers up to 3.0.0 keep the port of the listener where none is named: https on port 80.
  const toHttps: Filter = { type: "RequestRedirect", requestRedirect: { scheme: "https", port: 443, statusCode: 301 } };
  const notFound: Filter = {
    type: "ExtensionRef",
    extensionRef: { group: "gateway.k8s.aws", kind: "ListenerRuleConfiguration", name: fallbackName(gateway) },
  };
  return [
    route(redirectName(gateway), { name: gateway, sectionName: HTTP_LISTENER }, toHttps),
    ...(secure
      ? [route(fallbackName(gateway), { name: gateway, sectionName: HTTPS_LISTENER }, notFound, [nobodysName(gateway)])]
      : []),
    ...served.flatMap((claim) => {
      const { redirectTo: hostname } = wishOf(claim);
      if (hostname === undefined) return [];
      const { name = "" } = claim.metadata;
      const parent = inSets
        ? { kind: "ListenerSet", name: listenerSetName(gateway, name), sectionName: name }
        : { name: gateway, sectionName: name };
      const elsewhere: Filter = {
        type: "RequestRedirect",
        requestRedirect: { scheme: "https", hostname, statusCode: 301 },
      };
      return [route(listenerSetName(gateway, name), parent, elsewhere, [claim.spec.hostname])];
    }),
  ];
}

function route(
  name: string,
  parent: { readonly kind?: string; readonly name: string; readonly sectionName: string },
  filter: Filter,
  hostnames?: readonly string[],
): Applied<HTTPRoute> {
  return {
    metadata: { name },
    spec: { parentRefs: [parent], ...(hostnames && { hostnames }), rules: [{ filters: [filter] }] },
  };
}
