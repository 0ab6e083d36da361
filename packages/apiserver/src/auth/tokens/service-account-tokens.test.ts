import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { seededRandom } from "@gatewright/ports";
import { authCluster } from "../testing/auth-fixture.ts";
import { parseJwt } from "./jwt.ts";
import { jsonWebKeySet, openidConfiguration } from "./openid-discovery.ts";
import { createServiceAccountTokens } from "./service-account-tokens.ts";
import { createSigningKey, loadSigningKey } from "./signing-key.ts";

const issuer = "https://kubernetes.default.svc";
const core = (resource: string) => ({ group: "", resource });

async function setUp(key = createSigningKey(seededRandom())) {
  const { cluster, clock } = authCluster();
  const add = async (resource: string, name: string) => {
    const object = { apiVersion: "v1", kind: "X", metadata: { name, ...(resource !== "nodes" && { namespace: "a" }) } };
    const { metadata } = await cluster.create(core(resource), object);
    return { name, uid: metadata.uid ?? "" };
  };
  const serviceAccount = await add("serviceaccounts", "ci");
  const tokens = createServiceAccountTokens({ issuer, keys: [key], clock, random: seededRandom(7), cluster });
  const fresh = { namespace: "a", serviceAccount, audiences: [issuer], seconds: 3600 };
  return { cluster, clock, tokens, fresh, add };
}

test("a fresh token is its service account, with the groups of its namespace", async () => {
  const { tokens, fresh } = await setUp();
  const verdict = tokens.authenticate(tokens.issue(fresh), [issuer, "other"]);
  assert.equal(verdict.type, "user");
  if (verdict.type !== "user") return;
  assert.equal(verdict.user.username, "system:serviceaccount:a:ci");
  assert.deepEqual(verdict.user.groups, ["system:serviceaccounts", "system:serviceaccounts:a"]);
  assert.deepEqual(verdict.audiences, [issuer]);
  assert.match(verdict.user.extra?.["authentication.kubernetes.io/credential-id"]?.[0] ?? "", /^JTI=[0-9a-f-]{36}$/);
});

test("the claims are those of kube-apiserver, in its order", async () => {
  const { tokens, fresh, clock } = await setUp();
  const jwt = parseJwt(tokens.issue({ ...fresh, pod: { name: "p", uid: "u" }, node: { name: "n", uid: "" } }));
  const at = clock.now() / 1000;
  assert.deepEqual(jwt?.header, { alg: "ES256", kid: tokens.keys[0]!.id });
  assert.deepEqual(Object.keys(jwt?.claims ?? {}), ["aud", "exp", "iat", "iss", "jti", "kubernetes.io", "nbf", "sub"]);
  const { jti, ...claims } = jwt?.claims ?? {};
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.deepEqual(claims, {
    aud: [issuer],
    exp: at + 3600,
    iat: at,
    iss: issuer,
    "kubernetes.io": {
      namespace: "a",
      node: { name: "n" },
      pod: { name: "p", uid: "u" },
      serviceaccount: fresh.serviceAccount,
    },
    nbf: at,
    sub: "system:serviceaccount:a:ci",
  });
});

test("a token ends with its time, its account and what it is bound to", async () => {
  const { tokens, fresh, cluster, clock, add } = await setUp();
  const why = (token: string): string => {
    const verdict = tokens.authenticate(token, [issuer]);
    return verdict.type === "refused" ? verdict.why : verdict.type;
  };
  const secret = await add("secrets", "s");
  const node = await add("nodes", "n");
  const [plain, bound, onNode] = [
    tokens.issue(fresh),
    tokens.issue({ ...fresh, secret }),
    tokens.issue({ ...fresh, node }),
  ];
  assert.deepEqual([why(plain), why(bound), why(onNode)], ["user", "user", "user"]);
  await cluster.delete(core("secrets"), "a", "s");
  await cluster.delete(core("nodes"), "", "n");
  const invalidated = "service account token has been invalidated";
  assert.deepEqual([why(plain), why(bound), why(onNode)], ["user", invalidated, invalidated]);
  await add("secrets", "s");
  assert.match(why(bound), /^secret UID \(.*\) does not match service account secret ref claim \(.*\)$/);
  clock.advance(3600_000 + 59_000);
  assert.equal(why(plain), "user", "clocks may differ by a minute");
  clock.advance(2000);
  assert.equal(why(plain), "service account token has expired");
  await cluster.delete(core("serviceaccounts"), "a", "ci");
  assert.equal(why(tokens.issue(fresh)), 'serviceaccounts "ci" not found');
  await add("serviceaccounts", "ci");
  assert.match(why(tokens.issue(fresh)), /^service account UID \(.*\) does not match claim \(.*\)$/);
});

test("a token for another audience is refused", async () => {
  const { tokens, fresh } = await setUp();
  assert.deepEqual(tokens.authenticate(tokens.issue({ ...fresh, audiences: ["x"] }), [issuer]), {
    type: "refused",
    why: `token audiences ["x"] is invalid for the target audiences ["${issuer}"]`,
  });
});

test("forged, unsigned and foreign tokens are not believed", async () => {
  const { tokens, fresh } = await setUp();
  const good = tokens.issue(fresh);
  const [head = "", body = "", signature = ""] = good.split(".");
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
  const altered = part({ ...(claims as object), sub: "system:serviceaccount:a:root" });
  const kid = tokens.keys[0]!.id;
  for (const token of [
    `${head}.${altered}.${signature}`,
    `${part({ alg: "none", kid })}.${body}.${signature}`,
    `${part({ alg: "HS256", kid })}.${body}.${signature}`,
  ]) {
    assert.equal(tokens.authenticate(token, [issuer]).type, "refused");
  }
  const other = await setUp(createSigningKey(seededRandom(99)));
  assert.equal(tokens.authenticate(other.tokens.issue(other.fresh), [issuer]).type, "refused");
  for (const token of ["", "a", "a.b", "a.b.c", "....", `${head}.${body}.`])
    assert.equal(tokens.authenticate(token, [issuer]).type, "unknown");
});

test("RSA keys sign and are published as well, and older keys keep checking", async () => {
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const rsa = loadSigningKey(pem.toString());
  const { cluster, clock, fresh, tokens: old } = await setUp();
  const keys = [rsa, loadSigningKey(old.keys[0]!.toPem())] as const;
  const tokens = createServiceAccountTokens({ issuer, keys, clock, random: seededRandom(), cluster });
  assert.equal(parseJwt(tokens.issue(fresh))?.header["alg"], "RS256");
  for (const token of [tokens.issue(fresh), old.issue(fresh)])
    assert.equal(tokens.authenticate(token, [issuer]).type, "user");
  const published = jsonWebKeySet(tokens)["keys"] as { kid: string; kty: string; d?: string }[];
  assert.deepEqual(
    published.map((key) => [key.kid, key.kty, key.d]),
    [
      [rsa.id, "RSA", undefined],
      [keys[1].id, "EC", undefined],
    ],
  );
  assert.deepEqual(openidConfiguration(tokens, "https://127.0.0.1:6443/"), {
    issuer,
    jwks_uri: "https://127.0.0.1:6443/openid/v1/jwks",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
  });
});
