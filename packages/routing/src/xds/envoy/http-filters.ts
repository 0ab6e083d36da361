import type { DescMessage } from "@bufbuild/protobuf";
import {
  BrotliSchema,
  BufferSchema,
  CompressorSchema,
  CorsSchema,
  GzipSchema,
  HTTPFaultSchema,
  JwtAuthenticationSchema,
  LocalRateLimitSchema,
  RBACSchema,
  RouterSchema,
  StatefulSessionSchema,
  ZstdSchema,
} from "@gatewright/gateway-wire/xds";
import type { HttpFilterSchema } from "@gatewright/gateway-wire/xds";
import { FROM_ADS } from "./cluster/cluster-message.ts";
import { COMPRESSED_TYPES, LEAST_COMPRESSED_BYTES } from "./features/compression.ts";
import { FILTERS } from "./filter-names.ts";
import { packed } from "./packed.ts";
import type { Init } from "./packed.ts";

type HttpFilterInit = Init<typeof HttpFilterSchema>;

/** The filters of every listener. All but the last do nothing where a route says nothing. */
export function httpFilters(): HttpFilterInit[] {
  return [
    idle(FILTERS.clientCertificate, RBACSchema, {}),
    { ...idle(FILTERS.buffer, BufferSchema, { maxRequestBytes: 1 }), disabled: true },
    idle(FILTERS.cors, CorsSchema, {}),
    compressor(FILTERS.gzip, "gzip", GzipSchema),
    compressor(FILTERS.brotli, "brotli", BrotliSchema),
    compressor(FILTERS.zstd, "zstd", ZstdSchema),
    idle(FILTERS.rateLimit, LocalRateLimitSchema, { statPrefix: "rate_limit" }),
    // Issuers come and go with routes; a listener that changed with them would let go of its connections.
    {
      name: FILTERS.jwt,
      configType: {
        case: "configDiscovery",
        value: { configSource: FROM_ADS, typeUrls: [`type.googleapis.com/${JwtAuthenticationSchema.typeName}`] },
      },
    },
    idle(FILTERS.authorization, RBACSchema, {}),
    idle(FILTERS.fault, HTTPFaultSchema, {}),
    idle(FILTERS.sticky, StatefulSessionSchema, {}),
    idle(FILTERS.router, RouterSchema, { suppressEnvoyHeaders: true }),
  ];
}

function idle<Desc extends DescMessage>(name: string, schema: Desc, init: Init<Desc>): HttpFilterInit {
  return { name, configType: { case: "typedConfig", value: packed(schema, init) } };
}

function compressor(name: string, library: string, schema: DescMessage): HttpFilterInit {
  const filter = idle(name, CompressorSchema, {
    compressorLibrary: { name: library, typedConfig: packed(schema, {}) },
    responseDirectionConfig: {
      commonConfig: { minContentLength: LEAST_COMPRESSED_BYTES, contentType: [...COMPRESSED_TYPES] },
    },
  });
  return { ...filter, disabled: true };
}
