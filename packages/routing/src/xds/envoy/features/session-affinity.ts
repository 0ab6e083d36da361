import { CookieBasedSessionStateSchema, StatefulSessionPerRouteSchema } from "@gatewright/gateway-wire/xds";
import type { BackendTraits } from "../destinations.ts";
import { durationOf, packed } from "../packed.ts";
import type { RouteActionInit } from "../route-draft.ts";

/** What requests that go to the same host have in common, as the backends of a route say it. */
export function hashPolicies(destinations: readonly BackendTraits[]): NonNullable<RouteActionInit["hashPolicy"]> {
  const hashes = new Map(
    destinations.flatMap(({ hash }) => (hash === undefined ? [] : [[JSON.stringify(hash), hash]])),
  );
  return [...hashes.values()].map(({ by, name }) => {
    switch (by) {
      case "header":
        return { policySpecifier: { case: "header", value: { headerName: name } } } as const;
      case "cookie":
        return { policySpecifier: { case: "cookie", value: { name } } } as const;
      case "query":
        return { policySpecifier: { case: "queryParameter", value: { name } } } as const;
      case "address":
        return { policySpecifier: { case: "connectionProperties", value: { sourceIp: true } } } as const;
    }
  });
}

/** The cookie that keeps clients at their host. */
export function stickySession({ cookie, ttlMs }: NonNullable<BackendTraits["sticky"]>) {
  const state = packed(CookieBasedSessionStateSchema, {
    cookie: { name: cookie, path: "/", ...(ttlMs !== undefined && { ttl: durationOf(ttlMs) }) },
  });
  const sessionState = { name: "envoy.http.stateful_session.cookie", typedConfig: state };
  return packed(StatefulSessionPerRouteSchema, { override: { case: "statefulSession", value: { sessionState } } });
}
