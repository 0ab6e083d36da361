import type { Answer } from "../../exchange/answer.ts";
import { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import { withNormalEscapes } from "../../exchange/target.ts";
import type { Around } from "../../filters/around.ts";
import type { Call } from "../../pipeline/call.ts";
import { fillIn } from "./fill-in.ts";

/** `redirect` of a route. */
export interface RedirectSpec {
  /**
   * A path, in which `{name}` stands for what it stood for in the request's path; may have a query and a fragment. With `https://host`
   * before it, it also says where.
   */
  readonly uri?: string;
  readonly code?: number;
  readonly scheme?: string;
  readonly host?: string;
  readonly port?: number;
  readonly stripQuery?: boolean;
}

const CODES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const DEFAULT_CODE = 302;
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
]);

/**
 * Sends clients elsewhere. The location is always whole, with scheme and host, so that nothing in a path can name another host. The
 * port is the given one, else that of the given scheme, else the one that the client used; the usual port of a scheme is left out.
 * Without `uri` the path stays; the query stays unless `stripQuery`.
 */
export function redirectAction(given: RedirectSpec, around: Pick<Around, "note">): (call: Call) => Answer {
  const spec = withOrigin(given);
  check(spec, around);
  const code = spec.code ?? DEFAULT_CODE;
  const uri = spec.uri === undefined || spec.uri === "" ? undefined : partsOf(withNormalEscapes(spec.uri));
  return (call) => {
    const path = uri === undefined ? onePath(call.path) : onePath(fillIn(uri.path, call.parameters));
    const queries = [uri?.query ?? "", spec.stripQuery === true ? "" : call.query].filter((query) => query !== "");
    const query = queries.length === 0 ? "" : `?${queries.join("&")}`;
    const location = `${origin(spec, call)}${path}${query}${uri?.fragment ?? ""}`;
    return localAnswer(code, "redirect", "look elsewhere", new Fields(["location", location]));
  };
}

/** The same redirect with the origin of a whole `uri` in the fields for it, unless they say otherwise. */
function withOrigin(spec: RedirectSpec): RedirectSpec {
  const whole = /^(https?):\/\/([^/?#:[]+|\[[^\]]+\])(?::(\d{1,5}))?(.*)$/s.exec(spec.uri ?? "");
  if (whole === null) return spec;
  const [, scheme = "", host = "", port, path = ""] = whole;
  const given = port === undefined ? {} : { port: Number(port) };
  return { scheme, host, ...given, ...spec, uri: path.startsWith("/") ? path : `/${path}` };
}

function check(spec: RedirectSpec, { note }: Pick<Around, "note">): void {
  const wrong = (field: string, message: string): void =>
    note({ field: `spec.redirect.${field}`, message, severity: "error" });
  if (spec.code !== undefined && !CODES.has(spec.code)) wrong("code", `${spec.code} is not a code of a redirect`);
  if (spec.scheme !== undefined && !DEFAULT_PORTS.has(spec.scheme)) wrong("scheme", "has to be http or https");
  if (spec.uri !== undefined && spec.uri !== "" && !/^\/(?![/\\])/.test(spec.uri))
    wrong("uri", "has to be a path that begins with one slash; the host is a field of its own");
  if (spec.uri !== undefined && /\\|\p{Cc}/u.test(spec.uri)) wrong("uri", "has characters that a location cannot have");
  if (spec.host !== undefined && !/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/.test(spec.host))
    wrong("host", "is not a name of a host");
}

function origin(spec: RedirectSpec, call: Call): string {
  const { authority, scheme: used } = call.head;
  const colon = /:\d*$/.exec(authority);
  const scheme = spec.scheme ?? used;
  const host = spec.host ?? (colon === null ? authority : authority.slice(0, colon.index));
  const usual = DEFAULT_PORTS.get(scheme) ?? "";
  const asked = colon === null ? "" : colon[0].slice(1);
  const port = spec.port !== undefined ? String(spec.port) : spec.scheme !== undefined || asked === "" ? usual : asked;
  return `${scheme}://${host}${port === usual ? "" : `:${port}`}`;
}

function partsOf(uri: string): { path: string; query: string; fragment: string } {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(uri) ?? [];
  return { path, query, fragment };
}

/** A path with one slash at its start and no backslash: some clients read `//host` and `/\host` as another host. */
function onePath(path: string): string {
  return `/${path.replaceAll("\\", "%5C").replace(/^(?:\/|%5C)+/, "")}`;
}
