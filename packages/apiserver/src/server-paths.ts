import { jsonWebKeySet, openidConfiguration } from "./auth/index.ts";
import type { ServiceAccountTokens } from "./auth/index.ts";
import { encoded } from "./handlers/encode.ts";
import { handleHealth } from "./handlers/health.ts";
import type { HealthCheck } from "./handlers/health.ts";
import type { PathHandler } from "./server-route.ts";

const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/** Answers /healthz, /livez and /readyz. */
export function healthPaths(checks: readonly HealthCheck[]): PathHandler {
  return (request, path) => (HEALTH.test(path) ? handleHealth(checks, path, request.query) : undefined);
}

/** Answers what others need in order to check the tokens of service accounts. */
export function openidPaths(tokens: ServiceAccountTokens, server: string): PathHandler {
  return (_request, path) => {
    if (path === "/.well-known/openid-configuration") return encoded(200, openidConfiguration(tokens, server));
    if (path !== "/openid/v1/jwks") return undefined;
    const body = Buffer.from(JSON.stringify(jsonWebKeySet(tokens)));
    return { status: 200, headers: { "content-type": "application/jwk-set+json" }, body };
  };
}
