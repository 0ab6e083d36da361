import type { ApiRequest } from "../../http/api-request.ts";

/** A GET as a path handler sees it. */
export function getRequest(target: string, headers: Readonly<Record<string, string>> = {}): ApiRequest {
  const url = new URL(target, "http://127.0.0.1:3000");
  return {
    method: "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: { host: url.host, ...headers },
    headerValues: () => [],
    body: new Uint8Array(),
    connection: { secure: false },
    signal: new AbortController().signal,
  };
}
