import { fromBinary, toJson, createRegistry } from "@bufbuild/protobuf";
import type { JsonObject as ProtoJson } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import {
  BufferPerRouteSchema,
  CompressorPerRouteSchema,
  CookieBasedSessionStateSchema,
  CorsPolicySchema,
  HTTPFaultSchema,
  LocalRateLimitSchema,
  PerRouteConfigSchema,
  PreviousHostsPredicateSchema,
  RBACPerRouteSchema,
  RouteSchema,
  StatefulSessionPerRouteSchema,
} from "@gatewright/gateway-wire/xds";
import { deliverable } from "../../../model/testing/deliverables.ts";
import { dialledTraits } from "../destinations.ts";
import type { BackendTraits } from "../destinations.ts";
import { DEFAULT_ENVOY_SETTINGS } from "../envoy-settings.ts";
import { translatedRoute } from "../translated-route.ts";

const registry = createRegistry(
  BufferPerRouteSchema,
  CompressorPerRouteSchema,
  CookieBasedSessionStateSchema,
  CorsPolicySchema,
  HTTPFaultSchema,
  LocalRateLimitSchema,
  PerRouteConfigSchema,
  PreviousHostsPredicateSchema,
  RBACPerRouteSchema,
  RouteSchema,
  StatefulSessionPerRouteSchema,
);

/** What Envoy is given of a route, as JSON, and the fields about which something is said. */
export interface Served {
  readonly routes: readonly ProtoJson[];
  readonly secureRoutes: readonly ProtoJson[];
  readonly fields: readonly string[];
}

/** Translates the spec of a route. Destinations are dialled unless traits are given. */
export function served(spec: JsonObject, kind: ObjectKind = "APIRoute", traits?: Partial<BackendTraits>): Served {
  const made = translatedRoute(
    deliverable("r", { kind, spec }),
    ({ host, port }) => ({ ...dialledTraits(`http ${host}:${port}`), ...traits }),
    DEFAULT_ENVOY_SETTINGS,
  );
  return {
    routes: made.rows.flatMap(({ bytes }) => decoded(bytes)),
    secureRoutes: made.rows.flatMap(({ secureBytes }) => decoded(secureBytes)),
    fields: made.shortfalls.map(({ field }) => field),
  };
}

function decoded(bytes: Uint8Array): ProtoJson[] {
  const reader = new BinaryReader(bytes);
  const routes: ProtoJson[] = [];
  while (reader.pos < reader.len) {
    reader.tag();
    routes.push(toJson(RouteSchema, fromBinary(RouteSchema, reader.bytes()), { registry }) as ProtoJson);
  }
  return routes;
}
