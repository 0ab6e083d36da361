import type { IncomingHttpHeaders } from "node:http";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";

/** About one connection and not about what it carries. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Who the caller is to this server is none of a pod's business, and cookies of its origin belong to it. */
const PRIVATE = /^(?:authorization|cookie2?|impersonate-.*|x-remote-.*)$/;

/** Where a passed request goes. */
export interface ProxyPlace {
  /** As the pod would be addressed: `10.244.0.1:8080`. */
  readonly host: string;
  /** The path of the proxy itself on this server. */
  readonly prefix: string;
}

/** The headers that a pod gets. */
export function forwardedHeaders(request: ApiRequest, { host }: ProxyPlace): Record<string, string> {
  const dropped = new Set([...HOP_BY_HOP, ...named(request.headers["connection"])]);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !dropped.has(name) && !PRIVATE.test(name)) headers[name] = value;
  }
  const { remoteAddress, secure } = request.connection;
  headers["x-forwarded-uri"] = encodePath(request.path);
  headers["x-forwarded-proto"] = secure ? "https" : "http";
  if (request.headers["host"] !== undefined) headers["x-forwarded-host"] = request.headers["host"];
  if (remoteAddress !== undefined) headers["x-forwarded-for"] = remoteAddress;
  headers["host"] = host;
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  if (request.upgradable === true && request.headers["upgrade"] !== undefined) {
    headers["connection"] = "Upgrade";
    headers["upgrade"] = request.headers["upgrade"];
  }
  return headers;
}

/**
 * The headers that the caller gets. Pages of pods come from this server's own address: in a browser they run in a sandbox, where they
 * are nobody's origin, set no cookies and can ask nothing of the API.
 */
export function answeredHeaders(given: IncomingHttpHeaders, place: ProxyPlace): ApiResponse["headers"] {
  const dropped = new Set([...HOP_BY_HOP, ...named(given.connection), "set-cookie"]);
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name)) continue;
    headers[name] = typeof value === "string" ? fromBytes(value) : value.map(fromBytes);
  }
  if (given.location !== undefined) headers["location"] = redirected(fromBytes(given.location), place);
  headers["content-security-policy"] = [headers["content-security-policy"] ?? [], SANDBOX].flat();
  return headers;
}

const SANDBOX = "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts";

/** A redirect of the pod to itself stays within the proxy. */
function redirected(location: string, { host, prefix }: ProxyPlace): string {
  const target = URL.parse(location, `http://${host}`);
  if (target === null || target.host !== host || /^[^/:]+(?:\/|$)/.test(location)) return location;
  const path = `${target.pathname}${target.search}${target.hash}`;
  return path.startsWith(prefix) ? path : `${prefix}${path}`;
}

/** A path as it goes into a request line. */
export function encodePath(path: string): string {
  return encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23");
}

function named(connection: string | undefined): readonly string[] {
  return (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
}

/** Node reads headers byte by byte; this server writes them as UTF-8. */
function fromBytes(value: string): string {
  return Buffer.from(value, "latin1").toString();
}
