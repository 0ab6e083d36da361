import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { SignJWT } from "jose";
import type { Client } from "../../exchange/exchange.ts";
import { CERTIFICATES, clientWith } from "../testing/client-certificates.ts";
import type { MtlsSpec } from "./authentication-spec.ts";
import { madeAuthentication } from "./testing/asked.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const jwt = { enabled: true, secret: SECRET };
const hash = createHash("sha256").update("k").digest("hex");
const apiKey = { enabled: true, keys: [{ name: "shop", hash }] };
const basic = { enabled: true, users: [{ username: "ada", passwordHash: `sha256:${hash}` }] };
const token = (): Promise<string> =>
  new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET));

test("of several methods any is enough", async () => {
  const { ask, bearer } = madeAuthentication({ jwt, apiKey, basic });
  assert.equal((await bearer(await token())).call.identity?.method, "jwt");
  assert.equal((await ask({ fields: { "x-api-key": "k" } })).call.identity?.method, "apiKey");
  assert.equal((await ask({ fields: { authorization: "Basic YWRhOms=" } })).call.identity?.method, "basic");
  const wrongKey = await ask({ fields: { "x-api-key": "wrong", authorization: `Bearer ${await token()}` } });
  assert.equal(wrongKey.call.identity?.method, "jwt");
  assert.equal(wrongKey.call.head.fields.has("x-api-key"), false);
});

test("who proves nothing is told every way to do so", async () => {
  const { ask } = madeAuthentication({ jwt, apiKey, basic, mtls: { enabled: true } });
  const { answer } = await ask();
  assert.equal(answer?.status, 401);
  assert.equal(answer.origin, "unauthenticated");
  assert.deepEqual(
    answer.fields.all("www-authenticate").map((challenge) => challenge.split(" ", 1)[0]),
    ["ClientCertificate", "ApiKey", "Bearer", "Basic"],
  );
});

test("where anonymous clients are allowed, no credential passes and a wrong one does not", async () => {
  const { ask, bearer } = madeAuthentication({ jwt, allowAnonymous: true });
  const { call, answer } = await ask();
  assert.deepEqual([answer, call.identity?.method, call.identity?.roles], [undefined, "anonymous", []]);
  assert.equal((await bearer("wrong")).answer?.status, 401);
  assert.equal((await madeAuthentication({ allowAnonymous: true }).ask()).call.identity?.method, "anonymous");
});

const SKIPPED: readonly (readonly [path: string, skipped: boolean])[] = [
  ["/health", true],
  ["/health/", false],
  ["/healthz", false],
  ["/public/", true],
  ["/public/a/b", true],
  ["/public", false],
  ["/publicity", false],
  ["/public/..%2fadmin", false],
  ["/public/%5c..%5cadmin", false],
  ["/", false],
];

for (const [path, skipped] of SKIPPED) {
  test(`${path} is ${skipped ? "" : "not "}skipped by /health and /public/*`, async () => {
    const { ask } = madeAuthentication({ apiKey, skipPaths: ["/health", "/public/*"] });
    const { call, answer } = await ask({ target: `${path}?x=/health`, fields: { "x-api-key": "wrong" } });
    assert.equal(answer?.status, skipped ? undefined : 401);
    assert.equal(call.identity, undefined);
    if (skipped) assert.equal(call.head.fields.get("x-api-key"), "wrong");
  });
}

test("a route that demands authentication and names no method is closed", async () => {
  const { ask, around } = madeAuthentication({ jwt: { enabled: false, secret: SECRET } });
  assert.equal((await ask()).answer?.status, 503);
  assert.deepEqual(
    around.notes.map(({ field, closed }) => [field, closed]),
    [["spec.authentication", true]],
  );
});

test("one method that cannot work closes the route, whatever the others are", async () => {
  const { bearer } = madeAuthentication({ jwt, apiKey: { enabled: true } });
  assert.equal((await bearer(await token())).answer?.status, 503);
});

test("what is not enabled is no filter", () => {
  assert.equal(madeAuthentication({ enabled: false, jwt }).filter, undefined);
});

const mtls = (spec: MtlsSpec) =>
  madeAuthentication({ mtls: { enabled: true, ...spec } }, { "ca.pem": CERTIFICATES.root });
const passes = async (spec: MtlsSpec, client: Client): Promise<boolean> =>
  (await mtls(spec).ask({ client })).answer === undefined;

test("a client's certificate is an identity: its common name, or what the route wants of it", async () => {
  const client = clientWith("alice");
  const { call } = await mtls({}).ask({ client });
  assert.deepEqual(
    [call.identity?.method, call.identity?.subject, call.identity?.groups],
    ["mtls", "alice.example.com", ["ops", "payments"]],
  );
  const subject = async (extractIdentity: string): Promise<string | undefined> =>
    (await mtls({ extractIdentity }).ask({ client })).call.identity?.subject;
  assert.equal(await subject("san"), "spiffe://example.com/alice");
  assert.equal(await subject("ou"), "ops");
  assert.equal(await passes({ extractIdentity: "san" }, clientWith("bob")), false);
});

test("the lists of names and the authority of the route are enforced", async () => {
  const client = clientWith("alice");
  assert.equal(await passes({ allowedCNs: ["alice.example.com"], allowedOUs: ["payments"] }, client), true);
  assert.equal(await passes({ allowedCNs: ["bob"] }, client), false);
  assert.equal(await passes({ allowedOUs: ["sales"] }, client), false);
  assert.equal(await passes({ allowedCNs: ["alice.example.com"], allowedOUs: ["sales"] }, client), false);
  assert.equal(await passes({ caFile: "ca.pem" }, client), true);
  assert.equal(await passes({ caFile: "ca.pem" }, clientWith("mallory")), false);
  assert.equal(await passes({ caFile: "missing.pem" }, client), false);
  assert.equal(await passes({}, clientWith()), false);
});
