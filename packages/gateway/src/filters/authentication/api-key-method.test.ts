import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashSync } from "bcryptjs";
import fc from "fast-check";
import { madeCall } from "../testing/made-call.ts";
import type { ApiKeySpec } from "./authentication-spec.ts";
import { madeAuthentication } from "./testing/asked.ts";

const hex = (kind: string, key: string): string => createHash(kind).update(key).digest("hex");
const keys = [
  { name: "shop", hash: hex("sha256", "key-of-shop"), roles: ["seller"] },
  { name: "bank", hash: hex("sha256", "key-of-bank") },
];
const apiKey = (spec: ApiKeySpec) => madeAuthentication({ apiKey: { enabled: true, ...spec } });

test("a key is known by its hash, says whose it is, and does not reach the backend", async () => {
  const { ask } = apiKey({ keys });
  const { call, answer } = await ask({ fields: { "x-api-key": "key-of-shop", accept: "*/*" } });
  assert.equal(answer, undefined);
  assert.deepEqual(
    [call.identity?.method, call.identity?.subject, call.identity?.roles],
    ["apiKey", "shop", ["seller"]],
  );
  assert.deepEqual([...call.head.fields], [["accept", "*/*"]]);
});

test("a key may come by another header or by the query, from which it is taken however it is escaped", async () => {
  const { ask } = apiKey({ keys, header: "X-Token", query: "api_key" });
  assert.equal((await ask({ fields: { "x-token": "key-of-bank" } })).answer, undefined);
  assert.equal((await ask({ fields: { "x-api-key": "key-of-bank" } })).answer?.status, 401);
  const { call, answer } = await ask({ target: "/a?x=1&api%5Fkey=key%2Dof-bank&y=%zz" });
  assert.equal(answer, undefined);
  assert.equal(call.head.target, "/a?x=1&y=%zz");
  assert.equal((await ask({ target: "/a?api_key=key-of-bank" })).call.head.target, "/a");
});

test("without a header, keys come by the query only", async () => {
  const { ask } = apiKey({ keys, header: "", query: "k" });
  assert.equal((await ask({ target: "/?k=key-of-bank" })).answer, undefined);
  assert.equal((await ask({ fields: { "x-api-key": "key-of-bank" } })).answer?.status, 401);
});

test("a key in the Authorization field needs a scheme, and other schemes are the backend's", async () => {
  const { ask } = apiKey({ keys, header: "Authorization" });
  const { call, answer } = await ask({ fields: { authorization: "ApiKey key-of-shop" } });
  assert.deepEqual([answer, call.head.fields.has("authorization")], [undefined, false]);
  assert.equal((await ask({ fields: { authorization: "Basic YTpi" } })).answer?.status, 401);
});

test("no key, a wrong one, an empty one, several, and one that is too long are refused", async () => {
  const { ask, filter } = apiKey({ keys, query: "k" });
  const { answer } = await ask();
  assert.deepEqual([answer?.status, answer?.fields.get("www-authenticate")], [401, 'ApiKey realm="gateway"']);
  for (const key of ["wrong", "", "x".repeat(5000), keys[0]?.hash ?? ""])
    assert.equal((await ask({ fields: { "x-api-key": key } })).answer?.status, 401);
  assert.equal((await ask({ target: "/?k=key-of-shop&k=key-of-bank" })).answer?.status, 401);
  const call = madeCall({ fields: { "x-api-key": "key-of-shop" } });
  call.head.fields.add("x-api-key", "key-of-bank");
  assert.equal((await filter?.request?.(call))?.status, 401);
});

test("hashes may be sha512, or bcrypt", async () => {
  const long = apiKey({ hashAlgorithm: "sha512", keys: [{ name: "a", hash: hex("sha512", "k") }] });
  assert.equal((await long.ask({ fields: { "x-api-key": "k" } })).answer, undefined);
  const slow = apiKey({
    hashAlgorithm: "bcrypt",
    keys: [
      { name: "a", hash: hashSync("one", 4) },
      { name: "b", hash: hashSync("two", 4) },
    ],
  });
  assert.equal((await slow.ask({ fields: { "x-api-key": "two" } })).call.identity?.subject, "b");
  assert.equal((await slow.ask({ fields: { "x-api-key": "two" } })).call.identity?.subject, "b");
  assert.equal((await slow.ask({ fields: { "x-api-key": "three" } })).answer?.status, 401);
  const longest = "x".repeat(72);
  const cut = apiKey({ hashAlgorithm: "bcrypt", keys: [{ name: "a", hash: hashSync(longest, 4) }] });
  assert.equal((await cut.ask({ fields: { "x-api-key": longest } })).answer, undefined);
  assert.equal((await cut.ask({ fields: { "x-api-key": `${longest}y` } })).answer?.status, 401);
});

const CLOSED: readonly (readonly [field: string, spec: ApiKeySpec])[] = [
  ["keys", {}],
  ["vaultPath", { vaultPath: "secret/keys" }],
  ["keys[0].hash", { keys: [{ name: "a", hash: "plain" }] }],
  ["keys[0].hash", { keys: [{ name: "a", hash: hex("sha256", "k") }], hashAlgorithm: "sha512" }],
  ["keys[1].hash", { keys: [...keys.slice(0, 1), { name: "b", hash: hashSync("k", 4) }] }],
  ["header", { keys, header: "bad name" }],
  ["header", { keys, header: "" }],
];

for (const [field, spec] of CLOSED) {
  test(`what cannot know any key closes the route: ${field} in ${JSON.stringify(Object.keys(spec))}`, async () => {
    const { ask, around } = apiKey(spec);
    assert.equal((await ask({ fields: { "x-api-key": "k" } })).answer?.status, 503);
    assert.deepEqual(
      around.notes.map((note) => [note.field, note.severity]),
      [[`spec.authentication.apiKey.${field}`, "error"]],
    );
    assert.ok(!JSON.stringify(around.notes).includes("plain"));
  });
}

test("with keys at hand a path in Vault is only told to have no effect", async () => {
  const { ask, around } = apiKey({ keys, vaultPath: "secret/keys" });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.authentication.apiKey.vaultPath", "warning"]],
  );
  assert.equal((await ask({ fields: { "x-api-key": "key-of-shop" } })).answer, undefined);
});

test("whatever the query is, no key in it reaches the backend of a request that passes", async () => {
  const { ask } = apiKey({ keys, query: "k" });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.webQueryParameters(), { maxLength: 5 }), async (pairs) => {
      const target = `/?${[...pairs, "k=key-of-shop"].join("&")}`;
      const { call, answer } = await ask({ target });
      return answer?.status === 401 || !call.head.target.includes("key-of-shop");
    }),
  );
});
