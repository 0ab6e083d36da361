/** The parts of a URL as the server's language reads them: nothing is normalised. */
export interface RequestUri {
  readonly text: string;
  readonly scheme: string;
  /** Host with port, as written; percent escapes resolved. */
  readonly host: string;
  /** The path in its escaped form. */
  readonly path: string;
  readonly query: string;
}

/** Reads an absolute URL or an absolute path, or says what is wrong with it. */
export function parseRequestUri(text: string): RequestUri | { problem: string } {
  const fail = (reason: string): { problem: string } => ({ problem: `parse ${JSON.stringify(text)}: ${reason}` });
  if (/[\u0000-\u001f\u007f]/.test(text)) return fail("net/url: invalid control character in URL");
  if (text === "") return fail("empty url");
  if (text === "*") return { text, scheme: "", host: "", path: "*", query: "" };
  const [, name, afterScheme = text] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  if (name === undefined && text.startsWith(":")) return fail("missing protocol scheme");
  if (name === undefined && /^[^/?#]*:/.test(text) && !text.startsWith("/"))
    return fail("first path segment in URL cannot contain colon");
  const scheme = (name ?? "").toLowerCase();
  const question = afterScheme.indexOf("?");
  const before = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const query = question < 0 ? "" : afterScheme.slice(question + 1);
  if (!before.startsWith("/"))
    return scheme === "" ? fail("invalid URI for request") : { text, scheme, host: "", path: "", query };
  const hasAuthority = (scheme !== "" || !before.startsWith("///")) && before.startsWith("//") && scheme !== "";
  const slash = hasAuthority ? before.indexOf("/", 2) : 0;
  const authority = hasAuthority ? before.slice(2, slash < 0 ? undefined : slash) : "";
  const path = slash < 0 ? "" : before.slice(slash);
  const host = parseHost(authority.slice(authority.lastIndexOf("@") + 1));
  if ("problem" in host) return fail(host.problem);
  const bad = badEscape(path);
  if (bad !== undefined) return fail(`invalid URL escape ${JSON.stringify(bad)}`);
  return { text, scheme, host: host.host, path: escapedPath(path), query };
}

function parseHost(host: string): { host: string } | { problem: string } {
  const bracket = host.startsWith("[") ? host.lastIndexOf("]") : -1;
  if (host.startsWith("[") && bracket < 0) return { problem: "missing ']' in host" };
  const colon = bracket >= 0 ? bracket + 1 : host.indexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  if (port !== "" && !/^:[0-9]*$/.test(port)) return { problem: `invalid port ${JSON.stringify(port)} after host` };
  const bad = badEscape(host);
  if (bad !== undefined) return { problem: `invalid URL escape ${JSON.stringify(bad)}` };
  const invalid = bracket < 0 ? /[ "<>\\^`{|}[\]]/.exec(host)?.[0] : undefined;
  if (invalid !== undefined) return { problem: `invalid character ${JSON.stringify(invalid)} in host name` };
  return { host: decode(host) };
}

function badEscape(text: string): string | undefined {
  for (const match of text.matchAll(/%(.{0,2})/gs)) if (!/^[0-9A-Fa-f]{2}$/.test(match[1]!)) return match[0];
  return undefined;
}

/** A path as it may stand in a request: characters that need it are escaped, existing escapes are kept. */
function escapedPath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~$&+,/:;=@%!'()*[\]]+/gu, (part) => encodeURIComponent(part.toWellFormed()));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The host without its port and brackets. */
export function hostname(uri: RequestUri): string {
  if (uri.host.startsWith("[")) return uri.host.slice(1, uri.host.indexOf("]"));
  const colon = uri.host.lastIndexOf(":");
  return colon < 0 ? uri.host : uri.host.slice(0, colon);
}

export function port(uri: RequestUri): string {
  return /:([0-9]*)$/.exec(uri.host.replace(/^\[[^\]]*\]/, ""))?.[1] ?? "";
}

/** The query as names and their values in order. Pairs that cannot be read are left out. */
export function queryValues(uri: RequestUri): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of uri.query.split("&")) {
    if (pair === "" || pair.includes(";") || badEscape(pair) !== undefined) continue;
    const equal = pair.indexOf("=");
    const name = decode((equal < 0 ? pair : pair.slice(0, equal)).replaceAll("+", " "));
    const value = equal < 0 ? "" : decode(pair.slice(equal + 1).replaceAll("+", " "));
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}
