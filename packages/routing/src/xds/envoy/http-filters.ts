import { RouterSchema } from "@gatewright/gateway-wire/xds";
import type { HttpFilterSchema } from "@gatewright/gateway-wire/xds";
import { packed } from "./packed.ts";
import type { Init } from "./packed.ts";

type HttpFilterInit = Init<typeof HttpFilterSchema>;

/** The filters of every listener, in the order in which requests meet them. All but the last do nothing where a route says nothing. */
export function httpFilters(): HttpFilterInit[] {
  return [
    {
      name: "envoy.filters.http.router",
      configType: { case: "typedConfig", value: packed(RouterSchema, { suppressEnvoyHeaders: true }) },
    },
  ];
}
