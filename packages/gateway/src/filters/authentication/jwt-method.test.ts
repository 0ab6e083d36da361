import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { SignJWT, UnsecuredJWT, exportJWK } from "jose";
import type { JWTPayload } from "jose";
import { textOf } from "../testing/made-call.ts";
import type { JwtSpec } from "./authentication-spec.ts";
import { madeAuthentication } from "./testing/asked.ts";

const NOW = Date.UTC(2030, 0, 1) / 1000;
const SECRET = "0123456789abcdef0123456789abcdef";
const secretBytes = new TextEncoder().encode(SECRET);
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsaPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
const ecPem = ec.publicKey.export({ type: "spki", format: "pem" }).toString();

type SignKey = Parameters<SignJWT["sign"]>[0];
const sign = (claims: JWTPayload, alg = "HS256", key: SignKey = secretBytes, kid?: string): Promise<string> =>
  new SignJWT({ exp: NOW + 600, sub: "ada", ...claims })
    .setProtectedHeader(kid === undefined ? { alg } : { alg, kid })
    .sign(key);

const jwt = (spec: JwtSpec) => madeAuthentication({ jwt: { enabled: true, ...spec } });

test("a token signed with the route's secret passes, and says who it is", async () => {
  const { bearer } = jwt({ secret: SECRET, issuer: "https://issuer.example", audience: ["api", "web"] });
  const token = await sign({
    iss: "https://issuer.example",
    aud: ["web"],
    roles: ["admin", 7, "ops"],
    scope: "read write",
    groups: "staff",
  });
  const { call, answer } = await bearer(token);
  assert.equal(answer, undefined);
  const { claims, ...identity } = call.identity ?? assert.fail();
  assert.deepEqual(identity, {
    method: "jwt",
    subject: "ada",
    roles: ["admin", "ops"],
    groups: ["staff"],
    scopes: ["read", "write"],
    permissions: [],
  });
  assert.equal(claims.get("iss"), "https://issuer.example");
  assert.equal(call.head.fields.get("authorization"), `Bearer ${token}`, "the backend sees the token as before");
});

const REFUSED: readonly (readonly [what: string, spec: JwtSpec, token: () => Promise<string> | string])[] = [
  ["one that is expired", { secret: SECRET }, () => sign({ exp: NOW - 31 })],
  ["one that is not yet valid", { secret: SECRET }, () => sign({ nbf: NOW + 31 })],
  ["one of another issuer", { secret: SECRET, issuer: "a" }, () => sign({ iss: "b" })],
  ["one without issuer, where one is demanded", { secret: SECRET, issuer: "a" }, () => sign({})],
  ["one for another audience", { secret: SECRET, audience: ["a"] }, () => sign({ aud: "b" })],
  ["one for no audience, where one is demanded", { secret: SECRET, audience: ["a"] }, () => sign({})],
  ["one that another secret signed", { secret: SECRET }, () => sign({}, "HS256", Buffer.alloc(32, 1))],
  ["one of another algorithm of the same kind", { secret: SECRET, algorithm: "HS256" }, () => sign({}, "HS512")],
  ["one without signature", { secret: SECRET }, () => new UnsecuredJWT({ sub: "ada" }).encode()],
  [
    "one without signature that keeps the form of three parts",
    { secret: SECRET },
    () => `${new UnsecuredJWT({ sub: "ada" }).encode()}AA`,
  ],
  [
    "one that takes the public key for a secret",
    { publicKey: rsaPem },
    () => sign({}, "HS256", new TextEncoder().encode(rsaPem)),
  ],
  [
    "one that takes the public key for a secret, where there is a secret too",
    { publicKey: rsaPem, secret: SECRET },
    () => sign({}, "HS256", new TextEncoder().encode(rsaPem)),
  ],
  ["one that another key of the same kind signed", { publicKey: ecPem }, () => sign({}, "ES256", other.privateKey)],
  [
    "one with an extension that must be understood",
    { secret: SECRET },
    () =>
      new SignJWT({ sub: "ada" })
        .setProtectedHeader({ alg: "HS256", crit: ["x-odd"], "x-odd": true })
        .sign(secretBytes, { crit: { "x-odd": true } }),
  ],
  ["one that is too large", { secret: SECRET }, () => sign({ filler: "x".repeat(20_000) })],
  ["what is no token", { secret: SECRET }, () => "a.b.c"],
  ["nothing", { secret: SECRET }, () => ""],
];

for (const [what, spec, token] of REFUSED) {
  test(`a token is refused with 401 and no reason: ${what}`, async () => {
    const text = await token();
    const { call, answer } = await jwt(spec).bearer(text);
    assert.equal(answer?.status, 401);
    assert.equal(answer.fields.get("www-authenticate"), 'Bearer realm="gateway", error="invalid_token"');
    assert.equal(await textOf(answer.body), "these credentials are not accepted\n");
    assert.equal(call.identity, undefined);
  });
}

test("clocks may differ by half a minute", async () => {
  const { bearer } = jwt({ secret: SECRET });
  assert.equal((await bearer(await sign({ exp: NOW - 29 }))).answer, undefined);
  assert.equal((await bearer(await sign({ nbf: NOW + 29 }))).answer, undefined);
});

test("keys may be RSA or EC, in PEM", async () => {
  assert.equal((await jwt({ publicKey: rsaPem }).bearer(await sign({}, "RS384", rsa.privateKey))).answer, undefined);
  assert.equal(
    (await jwt({ publicKey: ecPem, algorithm: "ES256" }).bearer(await sign({}, "ES256", ec.privateKey))).answer,
    undefined,
  );
});

test("no token, or credentials of another scheme, are answered with a challenge", async () => {
  const { ask } = jwt({ secret: SECRET });
  for (const fields of [{}, { authorization: "Basic YTpi" }, { authorization: "Bearer" }] as Record<string, string>[]) {
    const { answer } = await ask({ fields });
    assert.equal(answer?.status, 401);
    assert.equal(answer.fields.get("www-authenticate"), 'Bearer realm="gateway"');
  }
});

test("two Authorization fields are refused, even when the first is good", async () => {
  const { filter, around } = jwt({ secret: SECRET });
  const { madeCall } = await import("../testing/made-call.ts");
  const call = madeCall({ fields: { authorization: `Bearer ${await sign({})}` } });
  call.head.fields.add("authorization", "Bearer other");
  assert.equal((await filter?.request?.(call))?.status, 401);
  assert.deepEqual(around.notes, []);
});

test("a token that was verified is believed until it expires, and not for longer", async () => {
  const { bearer, around } = jwt({ secret: SECRET });
  const token = await sign({ exp: NOW + 10 });
  assert.equal((await bearer(token)).answer, undefined);
  assert.equal((await bearer(token)).answer, undefined);
  around.clock.advance(39_000);
  assert.equal((await bearer(token)).answer, undefined);
  around.clock.advance(1_000);
  assert.equal((await bearer(token)).answer?.status, 401);
});

test("claims are found by their whole name first, then by their path", async () => {
  const claimMapping = { roles: "https://example.com/roles", groups: "realm_access.groups", email: "contact.mail" };
  const { bearer } = jwt({ secret: SECRET, claimMapping });
  const { call } = await bearer(
    await sign({
      "https://example.com/roles": ["admin"],
      realm_access: { groups: ["a b", "c"] },
      contact: { mail: "ada@example.com" },
    }),
  );
  assert.deepEqual(call.identity?.roles, ["admin"]);
  assert.deepEqual(call.identity.groups, ["a b", "c"]);
  assert.equal(call.identity.claims.get("email"), "ada@example.com");
});

test("claims with the names of JavaScript's own things are claims, and paths do not lead into them", async () => {
  const claims = JSON.parse(
    '{"__proto__":{"roles":["admin"],"polluted":true},"constructor":{"name":"x"},"sub":"eve"}',
  ) as JWTPayload;
  const { bearer } = jwt({
    secret: SECRET,
    claimMapping: { groups: "constructor.prototype", permissions: "toString.name", scopes: "__proto__.roles" },
  });
  const text = JSON.stringify({ exp: NOW + 600, ...JSON.parse('{"sub":"eve"}') }).slice(0, -1);
  const payload = Buffer.from(`${text},${JSON.stringify(claims).slice(1)}`);
  const { CompactSign } = await import("jose");
  const token = await new CompactSign(payload).setProtectedHeader({ alg: "HS256" }).sign(secretBytes);
  const { call, answer } = await bearer(token);
  assert.equal(answer, undefined);
  assert.deepEqual(call.identity?.roles, []);
  assert.deepEqual([call.identity.groups, call.identity.permissions], [[], []]);
  assert.deepEqual(call.identity.scopes, ["admin"]);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("thousands of groups are taken", async () => {
  const groups = Array.from({ length: 1200 }, (_, index) => `g${index}`);
  const { call } = await jwt({ secret: SECRET }).bearer(await sign({ groups }));
  assert.equal(call.identity?.groups.length, 1200);
});

const CLOSED: readonly (readonly [field: string, spec: JwtSpec])[] = [
  ["spec.authentication.jwt", {}],
  ["spec.authentication.jwt.publicKey", { publicKey: "not a key" }],
  ["spec.authentication.jwt.algorithm", { publicKey: rsaPem, algorithm: "HS256" }],
  ["spec.authentication.jwt.algorithm", { secret: SECRET, algorithm: "RS256" }],
  ["spec.authentication.jwt.algorithm", { publicKey: ecPem, algorithm: "ES384" }],
  ["spec.authentication.jwt.jwksUrl", { jwksUrl: "ftp://issuer" }],
];

for (const [field, spec] of CLOSED) {
  test(`what cannot verify anything closes the route: ${field} of ${Object.keys(spec).join(", ") || "nothing"}`, async () => {
    const { bearer, around } = jwt(spec);
    assert.equal((await bearer(await sign({}))).answer?.status, 503);
    assert.deepEqual(
      around.notes.map(({ field: named, severity, closed }) => [named, severity, closed]),
      [[field, "error", true]],
    );
    assert.ok(!JSON.stringify(around.notes).includes("not a key"));
  });
}

test("a short secret is told, without showing it", () => {
  const { around } = jwt({ secret: "hush" });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.authentication.jwt.secret", "warning"]],
  );
  assert.ok(!JSON.stringify(around.notes).includes("hush"));
});

test("whatever is sent as a token is refused and breaks nothing", async () => {
  const { bearer, ask } = jwt({ secret: SECRET, jwksUrl: "https://issuer.example/keys" });
  const part = fc.oneof(
    fc.base64String(),
    fc.string(),
    fc.json().map((text) => Buffer.from(text).toString("base64url")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
      const { answer } = await bearer(parts.join("."));
      return answer?.status === 401 || answer?.status === 503;
    }),
    { numRuns: 200 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.string(),
      async (authorization) => (await ask({ fields: { authorization } })).answer?.status === 401,
    ),
    { numRuns: 200 },
  );
});

test("a token whose every bit is changed in turn never passes", async () => {
  const { bearer } = jwt({ publicKey: ecPem });
  const token = await sign({ roles: ["user"] }, "ES256", ec.privateKey);
  const parts = token.split(".").map((part) => Buffer.from(part, "base64url"));
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.nat(400), fc.nat(7), async (index, byte, bit) => {
      const changed = parts.map((part) => Buffer.from(part));
      const part = changed[index]!;
      part[byte % part.length]! ^= 1 << bit;
      return (await bearer(changed.map((each) => each.toString("base64url")).join("."))).answer?.status === 401;
    }),
    { numRuns: 150 },
  );
});

test("keys of an issuer are used by their id, and private or secret ones in its set are none", async () => {
  const { bearer, outside } = jwt({ jwksUrl: "https://issuer.example/keys" });
  const secretJwk = { kty: "oct", k: Buffer.from(SECRET).toString("base64url"), kid: "s" };
  outside.replies.set("https://issuer.example/keys", {
    body: {
      keys: [
        secretJwk,
        { ...(await exportJWK(ec.privateKey)), kid: "e" },
        { ...(await exportJWK(rsa.publicKey)), kid: "r", alg: "RS256", use: "sig" },
        { ...(await exportJWK(other.publicKey)), kid: "enc", use: "enc" },
      ],
    },
  });
  assert.equal((await bearer(await sign({}, "ES256", ec.privateKey, "e"))).answer, undefined);
  assert.equal((await bearer(await sign({}, "RS256", rsa.privateKey, "r"))).answer, undefined);
  assert.equal((await bearer(await sign({}, "RS256", rsa.privateKey))).answer, undefined);
  assert.equal((await bearer(await sign({}, "RS512", rsa.privateKey, "r"))).answer?.status, 401);
  assert.equal((await bearer(await sign({}, "HS256", secretBytes, "s"))).answer?.status, 401);
  assert.equal((await bearer(await sign({}, "ES256", other.privateKey, "enc"))).answer?.status, 401);
  assert.equal(outside.asked.length, 1);
});
