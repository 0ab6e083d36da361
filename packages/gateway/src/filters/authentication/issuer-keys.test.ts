import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { SignJWT, exportJWK } from "jose";
import { madeAuthentication } from "./testing/asked.ts";

const URL = "https://issuer.example/keys";
const NOW = Date.UTC(2030, 0, 1) / 1000;
const MINUTE = 60_000;

async function madeKey(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid },
    token: (id = kid) =>
      new SignJWT({ sub: "ada", exp: NOW + 90 * 24 * 3600 })
        .setProtectedHeader({ alg: "ES256", kid: id })
        .sign(privateKey),
  };
}

async function issuer(maxAgeSeconds?: number) {
  const [first, second] = [await madeKey("first"), await madeKey("second")];
  const made = madeAuthentication({ jwt: { enabled: true, jwksUrl: URL } });
  const serve = (...jwks: object[]): void =>
    void made.outside.replies.set(URL, { body: { keys: jwks } as never, maxAgeSeconds });
  serve(first.jwk);
  const status = async (token: string): Promise<number | undefined> => (await made.bearer(token)).answer?.status;
  return { ...made, first, second, serve, status, advance: (ms: number) => made.around.clock.advance(ms) };
}

/** Lets what was begun in the background come to its end. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

test("keys are asked for once, however many tokens come at the same time", async () => {
  const { status, first, outside } = await issuer();
  const token = await first.token();
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, () => status(token))), Array(20).fill(undefined));
  assert.equal(outside.asked.length, 1);
});

test("keys are asked for anew in the background before they grow old", async () => {
  const { status, first, second, serve, outside, advance } = await issuer(600);
  await status(await first.token());
  serve(first.jwk, second.jwk);
  advance(449_000);
  await status(await first.token());
  assert.equal(outside.asked.length, 1);
  advance(2_000);
  assert.equal(await status(await first.token()), undefined);
  await settled();
  assert.equal(outside.asked.length, 2);
  assert.equal(await status(await second.token()), undefined);
  assert.equal(outside.asked.length, 2);
});

test("a token that names an unknown key makes them asked for, but not again and again", async () => {
  const { status, first, second, serve, outside, advance } = await issuer();
  assert.equal(await status(await first.token()), undefined);
  serve(first.jwk, second.jwk);
  assert.equal(await status(await second.token()), 401);
  advance(31_000);
  assert.equal(await status(await second.token()), undefined);
  assert.equal(outside.asked.length, 2);
  for (let time = 0; time < 50; time++) assert.equal(await status(await first.token(`made-up-${time}`)), 401);
  assert.equal(outside.asked.length, 2);
  advance(31_000);
  await Promise.all(Array.from({ length: 50 }, async (_, index) => status(await first.token(`more-${index}`))));
  assert.equal(outside.asked.length, 3);
});

test("when the issuer is away the last good keys are used for a day, and without any the answer is 503", async () => {
  const { status, first, outside, advance } = await issuer();
  assert.equal(await status(await first.token()), undefined);
  outside.replies.clear();
  for (let hour = 0; hour < 23; hour++) {
    advance(60 * MINUTE);
    assert.equal(await status(await first.token()), undefined);
    await settled();
  }
  advance(61 * MINUTE);
  assert.equal(await status(await first.token()), 503);
});

test("an issuer that is away is asked again after a while only, and believed once it is back", async () => {
  const { status, first, outside, serve, advance } = await issuer();
  outside.replies.clear();
  const token = await first.token();
  assert.deepEqual([await status(token), await status(token), await status(token)], [503, 503, 503]);
  assert.equal(outside.asked.length, 1);
  serve(first.jwk);
  advance(5_000);
  assert.equal(await status(token), undefined);
});

test("a key that the issuer has taken back is not believed any more, not even for tokens that were verified before", async () => {
  const { status, first, second, serve, advance } = await issuer(60);
  const token = await first.token();
  assert.equal(await status(token), undefined);
  serve(second.jwk);
  advance(61_000);
  assert.equal(await status(token), undefined);
  await settled();
  assert.equal(await status(token), 401);
});

test("what is no set of keys changes nothing", async () => {
  const { status, first, outside, advance } = await issuer();
  assert.equal(await status(await first.token()), undefined);
  for (const reply of [{ status: 500 }, { body: "x" }, { body: { keys: "x" } }, { body: null }] as const) {
    outside.replies.set(URL, reply);
    advance(11 * MINUTE);
    assert.equal(await status(await first.token()), undefined);
    await settled();
  }
  assert.equal(outside.asked.length, 5);
});

test("odd keys in a set are left out", async () => {
  const { status, first, serve } = await issuer();
  const odd = [null, 1, "x", [], { kty: "RSA" }, { kty: "EC", crv: "P-256" }, { kty: "RSA", n: "AQAB", e: "AQAB" }];
  serve(...(odd as object[]), JSON.parse('{"__proto__":{"kty":"EC"}}') as object, first.jwk);
  assert.equal(await status(await first.token()), undefined);
});
