import { create } from "@bufbuild/protobuf";
import { HttpConnectionManagerSchema, ListenerSchema, RouterSchema } from "@gatewright/gateway-wire/xds";
import type { Resource } from "../resource.ts";
import { resourceOf } from "../resource.ts";
import { FROM_ADS } from "./cluster/cluster-message.ts";
import { FILTERS } from "./filter-names.ts";
import { packed } from "./packed.ts";
import type { RouteDraft } from "./route-draft.ts";

/** The routes of all listeners of programs that are their own gateway. */
export const PROXYLESS_ROUTES = "grpc";

/** What clients of routes without hosts ask for. */
const ANY_HOST = "default";

/** A listener that nobody listens at: a client of gRPC asks for it by the name that it calls. */
export function proxylessListener(host: string): Resource {
  const name = host === "*" ? ANY_HOST : host;
  const apiListener = packed(HttpConnectionManagerSchema, {
    routeSpecifier: { case: "rds", value: { configSource: FROM_ADS, routeConfigName: PROXYLESS_ROUTES } },
    httpFilters: [{ name: FILTERS.router, configType: { case: "typedConfig", value: packed(RouterSchema, {}) } }],
  });
  return resourceOf(ListenerSchema, name, create(ListenerSchema, { name, apiListener: { apiListener } }), []);
}

/** A program that is its own gateway has no filters: what they would do is said, and left out. */
export function withoutFilters(draft: RouteDraft): void {
  if (draft.filters.size > 0) draft.lacks("", `clients of gRPC do without ${[...draft.filters.keys()].join(", ")}`);
  draft.filters.clear();
  draft.secureFilters.clear();
  draft.skipPaths.length = 0;
}
