import { hash as digestOf } from "node:crypto";
import { isFieldName } from "../../exchange/field-rules.ts";
import type { Call, Identity } from "../../pipeline/call.ts";
import type { ApiKeySpec } from "./authentication-spec.ts";
import { keptBcryptLine } from "./bcrypt-line.ts";
import type { BcryptLine } from "./bcrypt-line.ts";
import type { AuthenticationAround, Method, Outcome } from "./method.ts";
import { onlyValue, withoutParameter } from "./query-parameter.ts";
import { secretHash } from "./secret-hash.ts";

const FIELD = "spec.authentication.apiKey";
const MAX_KEY = 4096;
/** Each key that matches none costs this many comparisons. */
const MANY_BCRYPT = 8;
const SCHEMES = /^(?:apikey|bearer) +/iu;

/**
 * Makes the method for `apiKey`: a key from a header (`X-API-Key` unless told otherwise) or from the query, known by its hash. Requests
 * that pass go on without it. `closed`: it cannot be made, which was noted.
 */
export function apiKeyMethod(spec: ApiKeySpec, around: AuthenticationAround): Method | "closed" {
  const header = (spec.header ?? "X-API-Key").toLowerCase() || undefined;
  const query = spec.query || undefined;
  const book = keyBook(spec, around);
  if (book === "closed") return book;
  if (header === undefined ? query === undefined : !isFieldName(header)) {
    const message =
      header === undefined ? "is empty, and there is no query: where are keys?" : "is no name of a header";
    around.note({ severity: "error", field: `${FIELD}.header`, message, closed: true });
    return "closed";
  }
  return {
    challenge: () => 'ApiKey realm="gateway"',
    judge(call) {
      const key = givenKey(call, header, query);
      if (key === undefined) return "absent";
      return key === "" || key.length > MAX_KEY ? "refused" : book(key);
    },
    strip({ head }) {
      // An Authorization field that was not taken as the key is the backend's.
      const isKey = header !== "authorization" || SCHEMES.test(head.fields.get(header) ?? "");
      if (header !== undefined && isKey) head.fields.remove(header);
      if (query !== undefined) head.target = withoutParameter(head.target, query);
    },
  };
}

/** The key; an empty text when there are several, which might be read differently elsewhere. */
function givenKey(call: Call, header: string | undefined, query: string | undefined): string | undefined {
  const { fields } = call.head;
  const first = header === undefined ? undefined : fields.get(header);
  if (header !== undefined && first !== undefined) {
    if (fields.all(header).length > 1) return "";
    if (header !== "authorization") return first;
    return SCHEMES.test(first) ? first.replace(SCHEMES, "") : undefined;
  }
  return query === undefined ? undefined : onlyValue(call.query, query);
}

type KeyBook = (key: string) => Outcome | Promise<Outcome>;

/** Finds whose a key is. */
function keyBook(spec: ApiKeySpec, around: AuthenticationAround): KeyBook | "closed" {
  const problem = (field: string, message: string): "closed" => {
    around.note({ severity: "error", field: `${FIELD}${field}`, message, closed: true });
    return "closed";
  };
  const keys = spec.keys ?? [];
  if (spec.vaultPath) {
    if (keys.length === 0) return problem(".vaultPath", "needs Vault, which is not supported here: use keys");
    const message = "needs Vault, which is not supported here: only keys are used";
    around.note({ severity: "warning", field: `${FIELD}.vaultPath`, message });
  }
  if (keys.length === 0) return problem(".keys", "names no key");
  const blind = around.random.bytes(32);
  const byDigest = { sha256: new Map<string, Identity>(), sha512: new Map<string, Identity>() };
  const slow: { readonly hash: string; readonly identity: Identity }[] = [];
  const algorithm = spec.hashAlgorithm || "sha256";
  for (const [index, { name, hash, roles }] of keys.entries()) {
    const parsed = secretHash(hash, algorithm);
    if (parsed === undefined) return problem(`.keys[${index}].hash`, `is no ${algorithm} hash`);
    const identity = identityOf(name, roles ?? []);
    if (parsed.kind === "bcrypt") slow.push({ hash: parsed.hash, identity });
    else byDigest[parsed.kind].set(blinded(parsed.digest, blind), identity);
  }
  if (slow.length > MANY_BCRYPT) {
    const message = "a key that is not among them is compared with each, slowly: use sha256 for keys that are random";
    around.note({ severity: "warning", field: `${FIELD}.keys`, message });
  }
  const line = slow.length === 0 ? undefined : keptBcryptLine(around);
  return (key) => {
    for (const kind of ["sha256", "sha512"] as const) {
      if (byDigest[kind].size === 0) continue;
      // What is looked up is blinded, so how long that takes says nothing about the hashes.
      const found = byDigest[kind].get(blinded(digestOf(kind, key, "buffer"), blind));
      if (found !== undefined) return found;
    }
    return line === undefined ? "refused" : slowly(key, slow, line);
  };
}

async function slowly(
  key: string,
  slow: readonly { readonly hash: string; readonly identity: Identity }[],
  line: BcryptLine,
): Promise<Outcome> {
  for (const { hash, identity } of slow) {
    const found = await line.matches(key, hash);
    if (found === "busy") return "unavailable";
    if (found) return identity;
  }
  return "refused";
}

function blinded(digest: Uint8Array, blind: Uint8Array): string {
  return digestOf("sha256", Buffer.concat([blind, digest]), "base64");
}

function identityOf(name: string, roles: readonly string[]): Identity {
  return { method: "apiKey", subject: name, roles, groups: [], scopes: [], permissions: [], claims: new Map() };
}
