import { normalAuthority } from "../exchange/authority.ts";
import { Fields } from "../exchange/fields.ts";
import { normalTarget, withNormalEscapes } from "../exchange/target.ts";
import type { Question } from "../table/route-table.ts";

/**
 * A request as a query describes it: `host`, `path`, `method`, and `header` as `name: value`, several times. Or what is wrong with it. The
 * path may be written as people read it: clients escape what has to be.
 */
export function askedRequest(query: URLSearchParams): Question | string {
  const method = query.get("method") ?? "GET";
  const authority = normalAuthority(query.get("host") ?? "localhost");
  if (authority === undefined) return "host is no name of a host";
  const target = normalTarget(withNormalEscapes(query.get("path") ?? "/"), method);
  if (typeof target !== "string") return `path is not one that is served: ${target.reason}`;
  const fields = new Fields();
  for (const header of query.getAll("header")) {
    const colon = header.indexOf(":");
    if (colon < 1) return "header is written name: value";
    fields.add(header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim());
  }
  const cut = target.indexOf("?");
  return {
    head: { method, authority, fields },
    path: cut === -1 ? target : target.slice(0, cut),
    query: cut === -1 ? "" : target.slice(cut + 1),
    isGrpc: fields.get("content-type")?.startsWith("application/grpc") ?? false,
  };
}
