import { createPublicKey } from "node:crypto";
import type { APIRouteSpec } from "@gatewright/resources";
import { PerRouteConfigSchema } from "@gatewright/gateway-wire/xds";
import type { JwtProviderSchema, JwtRequirementSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { Init } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

type AuthenticationSpec = NonNullable<APIRouteSpec["authentication"]>;
type JwtSpec = NonNullable<AuthenticationSpec["jwt"]>;

/** Where the claims of a token are, for authorization. */
export const CLAIMS = "claims";

/** What the filter for tokens has to know of a route, under the route's key. */
export interface JwtRules {
  readonly provider: Init<typeof JwtProviderSchema>;
  readonly requirement: Init<typeof JwtRequirementSchema>;
}

const ELSEWHERE = ["basic", "apiKey", "oidc", "mtls"] as const;

/**
 * Demands tokens. Of several ways Envoy has that one only: who comes by another is refused, as long as there is that one, and the
 * route is closed otherwise.
 */
export function authentication(spec: AuthenticationSpec, key: string, draft: RouteDraft): JwtRules | undefined {
  if (!spec.enabled) return undefined;
  const others = ELSEWHERE.filter((way) => spec[way]?.enabled === true);
  const jwt = spec.jwt?.enabled === true ? spec.jwt : undefined;
  const keys = jwt === undefined ? undefined : keySet(jwt, draft);
  if (jwt === undefined || keys === undefined) {
    for (const way of others) draft.close(`authentication.${way}`, "callers cannot be told this way");
    if (others.length === 0 && jwt === undefined) return undefined;
    return undefined;
  }
  for (const way of others) draft.lacks(`authentication.${way}`, "callers are refused who come this way");
  if ((jwt.audience ?? []).length > 0)
    draft.lacks("authentication.jwt.audience", "others are answered with 403 in place of 401");
  draft.filters.set(
    FILTERS.jwt,
    packed(PerRouteConfigSchema, { requirementSpecifier: { case: "requirementName", value: key } }),
  );
  draft.skipPaths.push(...(spec.skipPaths ?? []));
  const named = { case: "providerName", value: key } as const;
  return {
    provider: {
      ...(jwt.issuer !== undefined && { issuer: jwt.issuer }),
      audiences: [...(jwt.audience ?? [])],
      jwksSourceSpecifier: { case: "localJwks", value: { specifier: { case: "inlineString", value: keys } } },
      forward: true,
      payloadInMetadata: CLAIMS,
    },
    requirement: {
      requiresType:
        spec.allowAnonymous === true
          ? {
              case: "requiresAny",
              value: { requirements: [{ requiresType: named }, { requiresType: { case: "allowMissing", value: {} } }] },
            }
          : named,
    },
  };
}

/** The keys of the route as a JSON Web Key Set; undefined: they cannot be given, and the route is closed. */
function keySet(spec: JwtSpec, draft: RouteDraft): string | undefined {
  if ((spec.jwksUrl ?? "") !== "") {
    draft.close("authentication.jwt.jwksUrl", "keys are not fetched: write publicKey");
    return undefined;
  }
  const keys: object[] = [];
  const { secret = "", publicKey = "", algorithm } = spec;
  if (secret !== "") {
    const algorithms = algorithm === undefined ? ["HS256", "HS384", "HS512"] : [algorithm];
    for (const alg of algorithms.filter((name) => name.startsWith("HS")))
      keys.push({ kty: "oct", alg, k: Buffer.from(secret).toString("base64url") });
  }
  if (publicKey !== "") {
    const jwk = createPublicKey(publicKey).export({ format: "jwk" });
    keys.push({ ...jwk, use: "sig", ...(algorithm !== undefined && { alg: algorithm }) });
  }
  return JSON.stringify({ keys });
}
