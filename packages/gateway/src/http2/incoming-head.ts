import type { RequestHead } from "../exchange/exchange.ts";
import { normalAuthority } from "../exchange/authority.ts";
import { Fields } from "../exchange/fields.ts";
import { isConnectionField, isFieldName, isFieldValue, isMethod } from "../exchange/field-rules.ts";
import { normalTarget } from "../exchange/target.ts";
import type { TargetRules } from "../exchange/target.ts";

/** A request's head as it came, understood. */
export interface IncomingHead {
  readonly head: RequestHead;
  readonly contentLength: number | undefined;
  /** The client waits for a word before it sends its body. */
  readonly expectsContinue: boolean;
}

/** How heads are judged. */
export interface HeadRules {
  readonly scheme: "http" | "https";
  readonly limits: { readonly headBytes: number; readonly fields: number };
  readonly target: TargetRules;
  readonly underscores: "refuse" | "drop" | "pass";
}

/** Why a head is not taken: what the client gets. */
export interface HeadRefusal {
  readonly status: number;
  readonly reason: string;
}

/**
 * Understands a head from HTTP/2: name and value by turns, as Node's module gives them. That module has refused what breaks the
 * protocol; what it lets through is judged here again, since HTTP/1.1 backends will read it in another way.
 */
export function incomingHead(raw: readonly string[], rules: HeadRules): IncomingHead | HeadRefusal {
  let method = "";
  let path: string | undefined;
  let protocol: string | undefined;
  let claimedScheme = "";
  let authority: string | undefined;
  let host: string | undefined;
  let length: string | undefined;
  let expect: string | undefined;
  let te: string | undefined;
  let cookies: string | undefined;
  let bytes = 0;
  const flat: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    bytes += name.length + value.length + 32;
    switch (name) {
      case ":method":
        method = value;
        continue;
      case ":path":
        path = value;
        continue;
      case ":scheme":
        claimedScheme = value;
        continue;
      case ":authority":
        authority = value;
        continue;
      case ":protocol":
        protocol = value;
        continue;
      case "host":
        if (host !== undefined) return bad("several hosts");
        host = value;
        continue;
      case "content-length":
        if (length !== undefined || !/^[0-9]{1,15}$/u.test(value)) return bad("the content-length is no length");
        length = value;
        continue;
      case "expect":
        expect = value.toLowerCase();
        continue;
      case "te":
        te = value;
        continue;
      case "proxy-authenticate":
      case "proxy-authorization":
      case "trailer":
        continue;
      case "cookie":
        if (!isFieldValue(value)) return bad("a field has characters that do not belong there");
        cookies = cookies === undefined ? value : `${cookies}; ${value}`;
        continue;
      default:
        if (isConnectionField(name)) return bad("a field that speaks about the connection has no place in HTTP/2");
        if (!isFieldName(name) || !isFieldValue(value)) return bad("a field has characters that do not belong there");
        if (rules.underscores !== "pass" && name.includes("_")) {
          if (rules.underscores === "refuse") return bad("the name of a field has an underscore");
          continue;
        }
        flat.push(name, value);
    }
  }
  if (bytes > rules.limits.headBytes || raw.length / 2 > rules.limits.fields)
    return { status: 431, reason: "the head of the request is too large" };
  if (expect !== undefined && expect !== "100-continue")
    return { status: 417, reason: "this expectation is not known" };
  const upgrade = method === "CONNECT" ? protocol : undefined;
  if (method === "CONNECT" && upgrade !== "websocket") return { status: 501, reason: "tunnels are not offered" };
  if (protocol !== undefined && upgrade === undefined) return bad("a protocol without CONNECT");
  if (!isMethod(method)) return bad("the method is none");
  if (claimedScheme !== "http" && claimedScheme !== "https") return bad("the scheme is not known");
  const named = normalAuthority(authority ?? host ?? "");
  if (named === undefined) return bad("the authority is missing or malformed");
  if (host !== undefined && host.toLowerCase() !== named) return bad("the host is not the authority");
  const target = normalTarget(path ?? "", method, rules.target);
  if (typeof target !== "string") return target;
  const fields = new Fields(flat);
  if (cookies !== undefined) fields.add("cookie", cookies);
  if (te !== undefined && isGrpc(fields)) fields.add("te", "trailers");
  return {
    head: {
      method: upgrade === undefined ? method : "GET",
      scheme: rules.scheme,
      authority: named,
      target,
      version: "2",
      fields,
      upgrade,
    },
    contentLength: length === undefined ? undefined : Number(length),
    expectsContinue: expect !== undefined,
  };
}

function isGrpc(fields: Fields): boolean {
  return fields.get("content-type")?.startsWith("application/grpc") ?? false;
}

function bad(reason: string): HeadRefusal {
  return { status: 400, reason };
}
