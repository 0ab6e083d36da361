import type { KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";

/** A key that a token of one algorithm may have been signed with. */
export type VerificationKey = CryptoKey | KeyObject | Uint8Array;

/** Where keys come from: the specification, or an issuer. */
export interface KeySource {
  /** Changes whenever a key that was good before may not be any more. */
  readonly version: number;
  /** The algorithms that its keys are for. No key is ever used with another. */
  readonly algorithms: readonly string[];
  /** Keys to try, the likeliest first; few. `unavailable`: they are not known at the moment. */
  keysFor(
    algorithm: string,
    keyId: string | undefined,
  ): readonly VerificationKey[] | Promise<readonly VerificationKey[] | "unavailable">;
}

export const HMAC_ALGORITHMS: readonly string[] = ["HS256", "HS384", "HS512"];
export const RSA_ALGORITHMS: readonly string[] = ["RS256", "RS384", "RS512"];
/** The algorithm of an elliptic curve, by both names that curves have. */
export const CURVE_ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ["P-256", "ES256"],
  ["P-384", "ES384"],
  ["P-521", "ES512"],
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);
export const PUBLIC_ALGORITHMS: readonly string[] = [...RSA_ALGORITHMS, "ES256", "ES384", "ES512"];

/** One key that is always the same. */
export function fixedKey(key: VerificationKey, algorithms: readonly string[]): KeySource {
  return { version: 0, algorithms, keysFor: (algorithm) => (algorithms.includes(algorithm) ? [key] : []) };
}
