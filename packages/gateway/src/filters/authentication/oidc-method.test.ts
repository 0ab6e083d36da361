import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { SignJWT, exportJWK } from "jose";
import type { JWTPayload } from "jose";
import { madeAuthentication } from "./testing/asked.ts";

const NOW = Date.UTC(2030, 0, 1) / 1000;
const ISSUER = "https://login.example/realm";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const provider = { name: "main", issuerUrl: ISSUER, clientId: "shop" };

const sign = (claims: JWTPayload): Promise<string> =>
  new SignJWT({ exp: NOW + 600, sub: "ada", ...claims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);

async function login(document: object = { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }, more: object = {}) {
  const made = madeAuthentication({ oidc: { enabled: true, providers: [{ ...provider, ...more }] } });
  made.outside.replies.set(`${ISSUER}/.well-known/openid-configuration`, { body: document as never });
  made.outside.replies.set(`${ISSUER}/keys`, { body: { keys: [await exportJWK(publicKey)] } });
  return made;
}

test("a token of the provider for this client passes; its keys are found by discovery", async () => {
  const { bearer, outside } = await login();
  const { call, answer } = await bearer(await sign({ iss: ISSUER, aud: "shop", roles: ["buyer"] }));
  assert.equal(answer, undefined);
  assert.deepEqual([call.identity?.method, call.identity?.subject, call.identity?.roles], ["oidc", "ada", ["buyer"]]);
  assert.deepEqual(
    outside.asked.map(({ url }) => url),
    [`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/keys`],
  );
});

test("tokens for another client, of another issuer or of nobody are refused without asking anybody about them", async () => {
  const { bearer, outside } = await login();
  assert.equal((await bearer(await sign({ iss: ISSUER, aud: "other" }))).answer?.status, 401);
  assert.equal((await bearer(await sign({ iss: ISSUER }))).answer?.status, 401);
  const asked = outside.asked.length;
  assert.equal((await bearer(await sign({ iss: "https://evil.example", aud: "shop" }))).answer?.status, 401);
  assert.equal((await bearer(await sign({ aud: "shop" }))).answer?.status, 401);
  assert.equal((await bearer("x.y.z")).answer?.status, 401);
  assert.equal(outside.asked.length, asked);
});

test("a discovery document of another issuer is not believed", async () => {
  const token = await sign({ iss: ISSUER, aud: "shop" });
  const { bearer } = await login({ issuer: "https://evil.example", jwks_uri: `${ISSUER}/keys` });
  assert.equal((await bearer(token)).answer?.status, 503);
  assert.equal((await (await login({ issuer: ISSUER })).bearer(token)).answer?.status, 503);
});

test("a token must have all of the provider's scopes", async () => {
  const { bearer } = await login(undefined, { scopes: ["orders", "openid"] });
  const status = async (scope: string): Promise<number | undefined> =>
    (await bearer(await sign({ iss: ISSUER, aud: "shop", scope }))).answer?.status;
  assert.equal(await status("openid profile orders"), undefined);
  assert.equal(await status("openid profile"), 401);
});

test("what only a login page would need is told to have no effect", async () => {
  const { around } = await login(undefined, { clientSecret: "hush", clientSecretRef: { name: "a", key: "b" } });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [
      ["spec.authentication.oidc.providers[0].clientSecret", "warning"],
      ["spec.authentication.oidc.providers[0].clientSecretRef", "warning"],
    ],
  );
  assert.ok(!JSON.stringify(around.notes).includes("hush"));
});

test("a provider without a proper address, or no provider, closes the route", async () => {
  for (const providers of [
    [],
    [{ ...provider, issuerUrl: "login.example" }],
    [{ ...provider, issuerUrl: "file:///x" }],
  ]) {
    const { ask, around } = madeAuthentication({ oidc: { enabled: true, providers } });
    assert.equal((await ask()).answer?.status, 503);
    assert.equal(around.notes[0]?.closed, true);
  }
});
