import type { IncomingHttpHeaders } from "node:http";
import type { CaseRequest } from "./routing-case.ts";

/** The length of a body, unless the case wants it to be sent without. */
export function lengthOf({ body, headers }: CaseRequest): Readonly<Record<string, string>> {
  const isUnknown = body === "" || Object.hasOwn(headers, "transfer-encoding");
  return isUnknown ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

/** Fields of an answer, several values with `, ` between them. */
export function headersOf(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith(":")) all.set(name, Array.isArray(value) ? value.join(", ") : value);
  return all;
}
