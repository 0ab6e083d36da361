import { createPublicKey, verify } from "node:crypto";
import type { JsonWebKey, KeyObject } from "node:crypto";
import type { VerifiedToken, VerifyToken } from "./web-identity.ts";

/** Fetches the keys that an issuer signs with, as its JWKS lists them; those without an id sign for any. */
export type FetchKeys = (signal: AbortSignal) => Promise<readonly (JsonWebKey & { readonly kid?: string })[]>;

const LONGEST_TOKEN = 20_000;
const PART = /^[A-Za-z0-9_-]+$/;

/**
 * Verifies JSON Web Tokens of the given issuers, which are spelled as the tokens spell them. RS256 and ES256, as Kubernetes and
 * AWS have it; tokens without a signature never pass. Keys are fetched for each token: whoever gives them may keep them.
 */
export function createJwtVerifier(issuers: ReadonlyMap<string, FetchKeys>): VerifyToken {
  return async (token, signal) => {
    const parts = token.length > LONGEST_TOKEN ? [] : token.split(".");
    const [head, body, signature] = parts;
    if (head === undefined || body === undefined || signature === undefined) return undefined;
    if (parts.length !== 3 || !parts.every((part) => PART.test(part))) return undefined;
    const header = objectIn(head);
    const claims = objectIn(body);
    const read = claims && claimsOf(claims);
    const fetchKeys = read && issuers.get(read.issuer);
    if (header === undefined || read === undefined || fetchKeys === undefined) return undefined;
    const algorithm = header.get("alg");
    const kid = header.get("kid");
    const keys = (await fetchKeys(signal)).filter(
      (key) => key.kid === undefined || kid === undefined || key.kid === kid,
    );
    const signed = Buffer.from(`${head}.${body}`);
    const right = keys.some((key) => isSignedBy(signed, Buffer.from(signature, "base64url"), algorithm, key));
    return right ? read : undefined;
  };
}

function claimsOf(claims: ReadonlyMap<string, unknown>): VerifiedToken | undefined {
  const [issuer, subject, audience, expires] = ["iss", "sub", "aud", "exp"].map((name) => claims.get(name));
  if (typeof issuer !== "string" || typeof expires !== "number") return undefined;
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return {
    issuer,
    subject: typeof subject === "string" ? subject : "",
    audience: all.filter((each) => typeof each === "string"),
    expires: expires * 1_000,
  };
}

function isSignedBy(signed: Buffer, signature: Buffer, algorithm: unknown, jwk: JsonWebKey): boolean {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    // A key of a kind that is not known here has signed nothing that counts.
    return false;
  }
  if (algorithm === "RS256" && key.asymmetricKeyType === "rsa") return verify("sha256", signed, key, signature);
  if (algorithm === "ES256" && key.asymmetricKeyDetails?.namedCurve === "prime256v1") {
    return verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature);
  }
  return false;
}

function objectIn(part: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : undefined;
  } catch {
    // What is not JSON is no token.
    return undefined;
  }
}
