import type { Fields } from "../../exchange/fields.ts";
import type { Call } from "../../pipeline/call.ts";
import { queryValue } from "../../exchange/query-value.ts";

/** Which part of a request is its key. The first that is named is used. */
export interface RequestKeySpec {
  readonly header?: string;
  readonly cookie?: string;
  readonly query?: string;
  readonly sourceAddress?: boolean;
}

/** Reads the key of requests; the empty string when a request has none. Without any name: the client's address. */
export function requestKey(spec: RequestKeySpec): (call: Call) => string {
  const { header, cookie, query } = spec;
  if (header !== undefined) {
    const name = header.toLowerCase();
    return (call) => call.head.fields.get(name) ?? "";
  }
  if (cookie !== undefined) return (call) => cookieValue(call.head.fields, cookie) ?? "";
  if (query !== undefined) return (call) => queryValue(call.query, query) ?? "";
  return (call) => call.clientAddress;
}

/** The first cookie of this name. */
export function cookieValue(fields: Fields, name: string): string | undefined {
  for (const line of fields.all("cookie")) {
    for (const pair of line.split(";")) {
      const cut = pair.indexOf("=");
      if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim();
    }
  }
  return undefined;
}
