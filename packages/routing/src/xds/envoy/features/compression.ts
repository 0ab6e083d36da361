import type { APIRouteSpec } from "@gatewright/resources";
import { CompressorPerRouteSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

type CompressionSpec = NonNullable<APIRouteSpec["compression"]>;

/** What is compressed, the same for all routes: Envoy's routes cannot say it. */
export const LEAST_COMPRESSED_BYTES = 1024;
export const COMPRESSED_TYPES: readonly string[] = [
  "text/html",
  "text/plain",
  "text/css",
  "text/javascript",
  "text/xml",
  "text/csv",
  "text/markdown",
  "application/json",
  "application/javascript",
  "application/xml",
  "application/yaml",
  "application/x-ndjson",
  "application/wasm",
  "application/graphql-response+json",
  "application/problem+json",
  "image/svg+xml",
];

const BY_ALGORITHM: ReadonlyMap<string, string> = new Map([
  ["zstd", FILTERS.zstd],
  ["br", FILTERS.brotli],
  ["gzip", FILTERS.gzip],
]);

/** Compresses answers for clients that take it. */
export function compression(spec: CompressionSpec, draft: RouteDraft): void {
  if (!spec.enabled) return;
  for (const algorithm of spec.algorithms ?? BY_ALGORITHM.keys()) {
    const filter = BY_ALGORITHM.get(algorithm);
    if (filter === undefined) draft.lacks("compression.algorithms", `${algorithm} is not offered`);
    else
      draft.filters.set(
        filter,
        packed(CompressorPerRouteSchema, { override: { case: "overrides", value: { responseDirectionConfig: {} } } }),
      );
  }
  if (spec.minSize !== undefined && spec.minSize !== LEAST_COMPRESSED_BYTES)
    draft.lacks("compression.minSize", `is ${LEAST_COMPRESSED_BYTES} for all routes`);
  if (spec.contentTypes !== undefined) draft.lacks("compression.contentTypes", "are the same for all routes");
}
