import { isLoopbackHost } from "./loopback.ts";

/** What a browser or another client told about where a request comes from. */
export interface RequestOrigin {
  readonly method: string;
  /** The `Host` header (HTTP/2: `:authority`). */
  readonly host: string | undefined;
  readonly origin?: string | undefined;
  readonly secFetchSite?: string | undefined;
  readonly secFetchMode?: string | undefined;
}

const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/@\s]+))(?::([0-9]+))?$/;

/**
 * Why a request to a server that trusts its own machine must be refused, or undefined when it may go on. Without this any
 * web page that the owner of the machine looks at could speak to the server: by a name that DNS points to 127.0.0.1
 * (rebinding), or by plain cross-site requests.
 */
export function loopbackGuard(request: RequestOrigin): string | undefined {
  const host = HOST.exec(request.host ?? "");
  if (!host) return "the request names no valid Host";
  if (!isLoopbackHost(host[1] ?? host[2] ?? "")) {
    return `the Host ${JSON.stringify(request.host)} is not this machine; use localhost or 127.0.0.1`;
  }
  if (request.origin !== undefined && !isSameOrigin(request.origin, request.host ?? "")) {
    return `requests from the Origin ${JSON.stringify(request.origin)} are not taken`;
  }
  const foreign = request.secFetchSite === "cross-site" || request.secFetchSite === "same-site";
  const followsLink = request.secFetchMode === "navigate" && (request.method === "GET" || request.method === "HEAD");
  return foreign && !followsLink ? "requests from other sites are not taken" : undefined;
}

function isSameOrigin(origin: string, host: string): boolean {
  const [scheme, authority] = origin.split("://", 2);
  return (scheme === "http" || scheme === "https") && authority?.toLowerCase() === host.toLowerCase();
}
