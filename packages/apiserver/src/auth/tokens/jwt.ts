import { isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { SigningKey } from "./signing-key.ts";

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function decode(part: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: not a token.
  }
}

/** A signed JSON Web Token. The key must have its private part. */
export function signJwt(key: SigningKey, claims: JsonObject): string {
  if (!key.sign) throw new Error("the key has no private part to sign with");
  const signed = `${encode({ alg: key.algorithm, kid: key.id })}.${encode(claims)}`;
  return `${signed}.${key.sign(Buffer.from(signed)).toString("base64url")}`;
}

/** A token taken apart. Nothing in it can be believed before {@link verifyJwt}. */
export interface ParsedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** Takes a token apart, or undefined when it does not look like one. */
export function parseJwt(token: string): ParsedJwt | undefined {
  const [head = "", body = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !/^[A-Za-z0-9_-]+$/.test(signature)) return undefined;
  const [header, claims] = [decode(head), decode(body)];
  if (!header || !claims) return undefined;
  return { header, claims, signed: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, "base64url") };
}

/** Whether one of the keys signed the token with the algorithm that the key is for. The header's word is not taken for it. */
export function verifyJwt(jwt: ParsedJwt, keys: readonly SigningKey[]): boolean {
  const named = keys.filter((key) => key.id === jwt.header["kid"]);
  const candidates = named.length > 0 ? named : keys;
  return candidates.some((key) => jwt.header["alg"] === key.algorithm && key.verify(jwt.signed, jwt.signature));
}
