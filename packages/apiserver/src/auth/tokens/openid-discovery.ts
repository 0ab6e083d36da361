import type { JsonObject } from "@gatewright/kube";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

/** The document at `/.well-known/openid-configuration`. `server` is where this server is reached. */
export function openidConfiguration(tokens: ServiceAccountTokens, server: string): JsonObject {
  return {
    issuer: tokens.issuer,
    jwks_uri: `${server.replace(/\/+$/, "")}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(tokens.keys.map((key) => key.algorithm))],
  };
}

/** The document at `/openid/v1/jwks` (`application/jwk-set+json`): the keys that tokens can be checked with. */
export function jsonWebKeySet(tokens: ServiceAccountTokens): JsonObject {
  return { keys: tokens.keys.map((key) => key.publicJwk()) };
}
