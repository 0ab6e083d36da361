import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { test } from "node:test";
import { createEllipticKey } from "@gatewright/certificates";
import { seededRandom } from "@gatewright/ports";
import { createJwtVerifier } from "./jwt-verifier.ts";

const ISSUER = "https://issuer.local";
const signal = new AbortController().signal;
const CLAIMS = { iss: ISSUER, sub: "system:serviceaccount:a:b", aud: ["sts.amazonaws.com"], exp: 2_000_000_000 };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function tokenOf(key: KeyObject, claims: object, header: object): string {
  const signed = `${part(header)}.${part(claims)}`;
  const how = key.asymmetricKeyType === "ec" ? ({ key, dsaEncoding: "ieee-p1363" } as const) : key;
  return `${signed}.${sign("sha256", Buffer.from(signed), how).toString("base64url")}`;
}

const publicJwk = (key: KeyObject, kid: string) => ({ ...createPublicKey(key).export({ format: "jwk" }), kid });

test("tokens that an issuer's key signed are right, others are not", async () => {
  const [key, stranger] = [createEllipticKey(seededRandom(1)), createEllipticKey(seededRandom(2))];
  const verify = createJwtVerifier(new Map([[ISSUER, async () => [publicJwk(key, "k1")]]]));
  const header = { alg: "ES256", kid: "k1" };
  const good = tokenOf(key, CLAIMS, header);
  assert.deepEqual(await verify(good, signal), {
    issuer: ISSUER,
    subject: "system:serviceaccount:a:b",
    audience: ["sts.amazonaws.com"],
    expires: 2_000_000_000_000,
  });
  const [, , signature] = good.split(".");
  const wrong = [
    tokenOf(stranger, CLAIMS, header),
    tokenOf(key, { ...CLAIMS, iss: "https://other.local" }, header),
    tokenOf(key, CLAIMS, { alg: "ES256", kid: "k2" }),
    tokenOf(key, CLAIMS, { alg: "HS256", kid: "k1" }),
    `${part({ alg: "none" })}.${part(CLAIMS)}.`,
    `${part(header)}.${part({ ...CLAIMS, sub: "somebody" })}.${signature}`,
    tokenOf(key, { ...CLAIMS, exp: undefined }, header),
    "a.b.c",
    "",
    "x".repeat(30_000),
  ];
  for (const token of wrong) assert.equal(await verify(token, signal), undefined, token.slice(0, 80));
});

test("RSA keys, as Kubernetes has them, verify too, and not as another kind", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const verify = createJwtVerifier(new Map([[ISSUER, async () => [publicJwk(privateKey, "r"), { kty: "odd" }]]]));
  assert.ok(await verify(tokenOf(privateKey, { ...CLAIMS, aud: "sts.amazonaws.com" }, { alg: "RS256" }), signal));
  assert.equal(await verify(tokenOf(privateKey, CLAIMS, { alg: "ES256" }), signal), undefined);
});
