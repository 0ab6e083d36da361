import { EntryMap } from "../entry-map.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { ArrayList } from "../list.ts";
import { hostname, parseRequestUri, port, queryValues } from "../request-uri.ts";
import type { RequestUri } from "../request-uri.ts";
import { CelError } from "../value.ts";
import type { CelMap, CelOpaque } from "../value.ts";

const type = "kubernetes.URL";

class Url implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = type;
  readonly uri: RequestUri;

  constructor(uri: RequestUri) {
    this.uri = uri;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Url && this.uri.text === other.uri.text;
  }

  toString(): string {
    return this.uri.text;
  }
}

function parse(text: string): Url {
  const uri = parseRequestUri(text);
  if ("problem" in uri) throw new CelError(`URL parse error during conversion from string: ${uri.problem}`);
  const hash = text.indexOf("#");
  if (hash < 0) return new Url(uri);
  const bare = parseRequestUri(text.slice(0, hash));
  return new Url({ ...("problem" in bare ? uri : bare), text });
}

function query({ uri }: Url): CelMap {
  const map = new EntryMap();
  for (const [name, values] of queryValues(uri)) map.set(name, new ArrayList(values));
  return map;
}

/** URLs. */
export const urls: Library = [
  ["url", [fn("string_to_url", `string -> ${type}`, parse)]],
  ["isURL", [fn("is_url_string", "string -> bool", (text: string) => !("problem" in parseRequestUri(text)))]],
  ["getScheme", [method("url_get_scheme", `${type} -> string`, ({ uri }: Url) => uri.scheme)]],
  ["getHost", [method("url_get_host", `${type} -> string`, ({ uri }: Url) => uri.host)]],
  ["getHostname", [method("url_get_hostname", `${type} -> string`, ({ uri }: Url) => hostname(uri))]],
  ["getPort", [method("url_get_port", `${type} -> string`, ({ uri }: Url) => port(uri))]],
  ["getEscapedPath", [method("url_get_escaped_path", `${type} -> string`, ({ uri }: Url) => uri.path)]],
  ["getQuery", [method("url_get_query", `${type} -> map(string, list(string))`, query)]],
];
