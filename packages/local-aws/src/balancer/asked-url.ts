import type { RequestHead, Peer } from "./message.ts";
import type { RoutedRequest } from "./rule-match.ts";

/** A request as rules look at it, with the port that the client named. */
export interface Asked extends RoutedRequest {
  readonly port: number | undefined;
}

/** Takes a request apart. Undefined for one that no server should serve: no or a strange host, a strange target. */
export function askedUrl({ method, target, authority, headers }: RequestHead, peer: Peer): Asked | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._~-]{1,255})(?::(\d{1,5}))?$/i.exec(authority);
  if (match === null || !/^(\/[^\s\p{Cc}]*|\*)$/u.test(target)) return undefined;
  const [, host = "", port] = match;
  const [beforeHash = ""] = target.split("#", 1);
  const mark = beforeHash.indexOf("?");
  return {
    method,
    host: host.toLowerCase().replace(/\.$/, ""),
    port: port === undefined ? undefined : Number(port),
    path: mark < 0 ? beforeHash : beforeHash.slice(0, mark),
    query: mark < 0 ? "" : beforeHash.slice(mark + 1),
    headers,
    sourceIp: peer.address,
  };
}
