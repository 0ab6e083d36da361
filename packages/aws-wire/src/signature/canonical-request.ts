import { sha256Hex } from "./signing-key.ts";

/** What a signature covers. */
export interface SignedParts {
  readonly method: string;
  /** Path and query as they are on the wire. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the headers that are signed, in order. */
  readonly signedHeaders: readonly string[];
  /** Hex, or one of the words that stand for a body which is signed otherwise or not at all. */
  readonly payloadHash: string;
  readonly service: string;
}

/** The digest of a request in its canonical form: the same for both ends, however each of them writes it. */
export function canonicalDigest(parts: SignedParts): string {
  return sha256Hex(canonicalRequest(parts));
}

function canonicalRequest({ method, path, headers, signedHeaders, payloadHash, service }: SignedParts): string {
  const cut = path.indexOf("?");
  const query = cut < 0 ? "" : path.slice(cut + 1);
  return [
    method,
    canonicalPath(cut < 0 ? path : path.slice(0, cut), service),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${headerText(headers, name)}`),
    "",
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

function headerText(headers: SignedParts["headers"], name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return (value ?? "").trim().replace(/ +/g, " ");
}

/** S3 takes a path as it is, since keys may have any form; everyone else tidies it and encodes it once more. */
function canonicalPath(path: string, service: string): string {
  if (service === "s3") return encodeUri(decodeUri(path), true);
  return encodeUri(withoutDots(path), true);
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  const end = kept.length > 0 && path.endsWith("/") ? "/" : "";
  return `/${kept.join("/")}${end}`;
}

function canonicalQuery(query: string): string {
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("X-Amz-Signature="))
    .map((pair): [string, string] => {
      const equals = pair.indexOf("=");
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? "" : pair.slice(equals + 1);
      return [formEncoded(name), formEncoded(value)];
    });
  const order = ([a, x]: [string, string], [b, y]: [string, string]): number =>
    a === b ? compare(x, y) : compare(a, b);
  return pairs
    .toSorted(order)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function formEncoded(text: string): string {
  return encodeUri(decodeUri(text.replaceAll("+", " ")), false);
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: it is signed as what it is.
    return text;
  }
}

/** All but the unreserved characters of RFC 3986 as percent-encoded UTF-8. */
function encodeUri(text: string, keepSlashes: boolean): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return keepSlashes ? encoded.replaceAll("%2F", "/") : encoded;
}
