import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createEllipticKey } from "@gatewright/certificates";
import type { JsonObject } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";

/** A key that signs service account tokens, or (without its private part) one that only checks them. */
export interface SigningKey {
  /** Names the key in token headers and in the published key set; derived from the public key. */
  readonly id: string;
  readonly algorithm: "RS256" | "ES256";
  /** Undefined for a key that is kept to check older tokens. */
  readonly sign: ((data: Buffer) => Buffer) | undefined;
  verify(data: Buffer, signature: Buffer): boolean;
  /** The public key as a JSON Web Key. */
  publicJwk(): JsonObject;
  /** PEM of what the key was made from, to be stored. */
  toPem(): string;
}

function signingKey(key: KeyObject): SigningKey {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  const elliptic = publicKey.asymmetricKeyType === "ec";
  if (!elliptic && publicKey.asymmetricKeyType !== "rsa")
    throw new Error("a signing key must be an RSA or a P-256 key");
  if (elliptic && publicKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new Error("a signing key on an elliptic curve must be a P-256 key");
  }
  const algorithm = elliptic ? "ES256" : "RS256";
  const options = elliptic ? { dsaEncoding: "ieee-p1363" as const } : {};
  const id = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return {
    id,
    algorithm,
    sign: key.type === "private" ? (data) => sign("sha256", data, { key, ...options }) : undefined,
    verify: (data, signature) => verify("sha256", data, { key: publicKey, ...options }, signature),
    publicJwk() {
      const { kty = "", ...parts } = publicKey.export({ format: "jwk" }) as Record<string, string>;
      return { use: "sig", kty, kid: id, alg: algorithm, ...parts };
    },
    toPem: () =>
      key
        .export(key.type === "private" ? { type: "pkcs8", format: "pem" } : { type: "spki", format: "pem" })
        .toString(),
  };
}

/** A fresh ES256 key. */
export function createSigningKey(random: Random): SigningKey {
  return signingKey(createEllipticKey(random));
}

/** A key from PEM: private (PKCS#8, PKCS#1, SEC1) to sign with, or public to check with. Throws for any other. */
export function loadSigningKey(pem: string): SigningKey {
  return signingKey(pem.includes("PRIVATE KEY") ? createPrivateKey(pem) : createPublicKey(pem));
}
