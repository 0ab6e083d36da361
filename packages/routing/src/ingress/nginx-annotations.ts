import { parseGoDuration } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import {
  asBytes,
  asFlag,
  asList,
  asNumber,
  asOneOf,
  asSeconds,
  asText,
  AnnotationError,
  put,
} from "./annotation-values.ts";
import type { Read } from "./annotation-values.ts";

/** What annotations of ingress-nginx come to here. */
export interface NginxPolicies {
  readonly route: JsonObject;
  readonly backend: JsonObject;
  regex: boolean;
  wholeRewrite: string | undefined;
  appRoot: string | undefined;
  protocol: "http" | "grpc" | undefined;
  secure: boolean;
}

/** `warn`: it is understood, but not to the letter. */
type Apply = (policies: NginxPolicies, text: string, warn: (message: string) => void) => void;

const to =
  (of: "route" | "backend", path: string, read: Read): Apply =>
  (policies, text) =>
    put(policies[of], path.split("."), read(text));

const PROTOCOLS: ReadonlyMap<string, readonly [protocol: "http" | "grpc", secure: boolean]> = new Map([
  ["HTTP", ["http", false]],
  ["HTTPS", ["http", true]],
  ["GRPC", ["grpc", false]],
  ["GRPCS", ["grpc", true]],
]);

/** nginx lets five times the rate through at once. */
const BURST = 5;

/** Rates are whole numbers a second here. */
function limit(perSecond: number): Apply {
  return ({ route }, text, warn) => {
    const asked = (asNumber(1)(text) as number) * perSecond;
    const rate = Math.max(1, Math.round(asked));
    if (rate !== asked) warn(`comes to ${rate} requests a second: rates are whole numbers a second here`);
    put(route, ["rateLimit"], { enabled: true, requestsPerSecond: rate, burst: rate * BURST, perClient: true });
  };
}

/** Larger than any body. */
const NO_LIMIT = 1024 ** 4;

/** nginx limits the time between two reads or writes, and there is one limit for both here: the longer one. */
const timeout: Apply = ({ route }, text) => {
  const given = asSeconds(text) as string;
  const known = route["timeout"] as string | undefined;
  if (known === undefined || nanoseconds(given) > nanoseconds(known)) put(route, ["timeout"], given);
};

function nanoseconds(duration: string): bigint {
  return parseGoDuration(duration) ?? 0n;
}

/** What nginx allows where CORS is on and nothing more is said. Cookies have to be asked for here. */
const CORS_DEFAULTS = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"],
  allowHeaders: [
    "DNT",
    "Keep-Alive",
    "User-Agent",
    "X-Requested-With",
    "If-Modified-Since",
    "Cache-Control",
    "Content-Type",
    "Range",
    "Authorization",
  ],
  maxAge: 1_728_000,
};

function redirect(code: number): Apply {
  return ({ route }, text) => {
    put(route, ["redirect", "uri"], text);
    const given = (route["redirect"] as JsonObject)["code"];
    if (given === undefined) put(route, ["redirect", "code"], code);
  };
}

/** Annotations with the prefix `nginx.ingress.kubernetes.io/` that mean something here, by the rest of their names. */
export const NGINX_ANNOTATIONS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ["proxy-body-size", to("route", "requestLimits.maxBodySize", (text) => asBytes(text) || NO_LIMIT)],
  ["proxy-read-timeout", timeout],
  ["proxy-send-timeout", timeout],
  ["proxy-next-upstream-tries", to("route", "retries.attempts", asNumber(1, 10))],
  ["limit-rps", limit(1)],
  ["limit-rpm", limit(1 / 60)],
  ["cors-allow-origin", to("route", "cors.allowOrigins", asList)],
  ["cors-allow-methods", to("route", "cors.allowMethods", asList)],
  ["cors-allow-headers", to("route", "cors.allowHeaders", asList)],
  ["cors-expose-headers", to("route", "cors.exposeHeaders", asList)],
  ["cors-allow-credentials", to("route", "cors.allowCredentials", asFlag)],
  ["cors-max-age", to("route", "cors.maxAge", asNumber(0))],
  ["permanent-redirect-code", to("route", "redirect.code", (text) => asOneOf(301, 302, 303, 307, 308)(text))],
  ["permanent-redirect", redirect(301)],
  ["temporal-redirect", redirect(302)],
  ["upstream-vhost", to("route", "rewrite.authority", asText)],
  [
    "load-balance",
    to("backend", "loadBalancer.algorithm", (text) =>
      asOneOf("round_robin", "ewma")(text) === "ewma" ? "leastRequest" : "roundRobin",
    ),
  ],
  [
    "upstream-hash-by",
    ({ backend }, text) => {
      if (text !== "$binary_remote_addr" && text !== "$remote_addr")
        throw new AnnotationError(
          "only $binary_remote_addr is understood here; write a Backend with loadBalancer.consistentHash",
        );
      put(backend, ["loadBalancer"], { algorithm: "consistentHash", consistentHash: { sourceAddress: true } });
    },
  ],
  [
    "affinity",
    ({ backend }, text) => {
      asOneOf("cookie")(text);
      put(backend, ["loadBalancer", "algorithm"], "sticky");
    },
  ],
  ["session-cookie-name", to("backend", "loadBalancer.sticky.cookieName", asText)],
  ["session-cookie-max-age", to("backend", "loadBalancer.sticky.ttl", asSeconds)],
  [
    "backend-protocol",
    (policies, text) => {
      const found = PROTOCOLS.get(text.toUpperCase());
      if (found === undefined) throw new AnnotationError(`write one of ${[...PROTOCOLS.keys()].join(", ")}`);
      [policies.protocol, policies.secure] = found;
    },
  ],
  ["use-regex", (policies, text) => void (policies.regex = asFlag(text) === true)],
  ["rewrite-target", (policies, text) => void (policies.wholeRewrite = text)],
  ["app-root", (policies, text) => void (policies.appRoot = text)],
  [
    "enable-cors",
    ({ route }, text) => {
      if (asFlag(text) !== true) put(route, ["cors"], {});
      else put(route, ["cors"], { ...CORS_DEFAULTS, ...(route["cors"] as JsonObject | undefined) });
    },
  ],
]);

/** What keeps somebody out. An Ingress that has one of these is not served without it. */
export const NGINX_PROTECTION: readonly string[] = [
  "auth-type",
  "auth-secret",
  "auth-url",
  "auth-signin",
  "auth-tls-secret",
  "auth-tls-verify-client",
  "whitelist-source-range",
  "allowlist-source-range",
  "denylist-source-range",
  "enable-modsecurity",
  "modsecurity-snippet",
  "satisfy",
  "canary",
];

/** Without effect here because it is always so, or because it says the default. */
export const NGINX_HARMLESS: ReadonlySet<string> = new Set([
  "websocket-services",
  "proxy-http-version",
  "service-upstream",
]);
