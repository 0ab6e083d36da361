import { jsonWebKeySet, openidConfiguration } from "./auth/index.ts";
import type { ServiceAccountTokens } from "./auth/index.ts";
import type { ExtraPaths } from "./extra-paths.ts";
import { encoded } from "./handlers/encode.ts";
import { handleHealth } from "./handlers/health.ts";
import type { HealthCheck } from "./handlers/health.ts";
import type { ResourceRegistry } from "./resources/registry.ts";
import type { PathHandler } from "./server-route.ts";

const SERVED_ALWAYS = [
  "/.well-known/openid-configuration",
  "/api",
  "/apis",
  "/apis/",
  "/healthz",
  "/livez",
  "/openapi/v2",
  "/openapi/v3",
  "/openid/v1/jwks",
  "/readyz",
  "/version",
];

/** Answers `/` with the paths that are served and what else there is to tell. Browsers are sent where there is something to see. */
export function indexPath(resources: ResourceRegistry, extra: ExtraPaths = { served: [] }): PathHandler {
  return ({ headers }, path) => {
    if (path !== "/") return undefined;
    if (extra.home !== undefined && /\btext\/html\b/i.test(headers["accept"] ?? "")) {
      return { status: 302, headers: { location: extra.home, vary: "accept" }, body: Buffer.alloc(0) };
    }
    const paths = new Set([...SERVED_ALWAYS, ...extra.served.map((each) => each.path)]);
    for (const { group, versions } of resources.all()) {
      if (group !== "") paths.add(`/apis/${group}`);
      for (const { version } of versions) paths.add(group === "" ? `/api/${version}` : `/apis/${group}/${version}`);
    }
    return encoded(
      200,
      { ...extra.about, paths: [...paths].sort() },
      { media: "json", as: "object", metaVersion: "v1", pretty: true },
    );
  };
}

const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/** Answers /healthz, /livez and /readyz. */
export function healthPaths(checks: readonly HealthCheck[]): PathHandler {
  return (request, path) => (HEALTH.test(path) ? handleHealth(checks, path, request.query) : undefined);
}

/** Answers what others need in order to check the tokens of service accounts. The keys are where the caller found us. */
export function openidPaths(tokens: ServiceAccountTokens): PathHandler {
  return ({ headers, connection }, path) => {
    if (path === "/.well-known/openid-configuration") {
      const server =
        headers["host"] === undefined ? tokens.issuer : `${connection.secure ? "https" : "http"}://${headers["host"]}`;
      return encoded(200, openidConfiguration(tokens, server));
    }
    if (path !== "/openid/v1/jwks") return undefined;
    const body = Buffer.from(JSON.stringify(jsonWebKeySet(tokens)));
    return { status: 200, headers: { "content-type": "application/jwk-set+json" }, body };
  };
}
