import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashSync } from "bcryptjs";
import fc from "fast-check";
import type { BasicSpec } from "./authentication-spec.ts";
import { madeAuthentication } from "./testing/asked.ts";

const users = [
  { username: "ada", passwordHash: hashSync("love:lace", 4), roles: ["admin"] },
  { username: "bob", passwordHash: `sha256:${createHash("sha256").update("grüße").digest("hex")}` },
];
const basic = (spec: BasicSpec) => madeAuthentication({ basic: { enabled: true, ...spec } });
const coded = (text: string): { fields: Record<string, string> } => ({
  fields: { authorization: `Basic ${Buffer.from(text).toString("base64")}` },
});

test("a password is known by its hash, and does not reach the backend", async () => {
  const { ask } = basic({ users });
  for (const [pair, subject] of [
    ["ada:love:lace", "ada"],
    ["ada:love:lace", "ada"],
    ["bob:grüße", "bob"],
  ] as const) {
    const { call, answer } = await ask(coded(pair));
    assert.equal(answer, undefined);
    assert.deepEqual([call.identity?.method, call.identity?.subject], ["basic", subject]);
    assert.deepEqual(call.identity?.roles, subject === "ada" ? ["admin"] : []);
    assert.equal(call.head.fields.has("authorization"), false);
  }
});

test("no password, a wrong one, and a user that there is not are answered with a challenge that names the realm", async () => {
  const { ask } = basic({ users, realm: 'the "shop"' });
  for (const parts of [
    {},
    coded("ada:x"),
    coded("eve:love:lace"),
    coded("ada"),
    coded(":x"),
    coded("ada:love:lace\0"),
  ]) {
    const { answer } = await ask(parts);
    assert.equal(answer?.status, 401);
    assert.equal(answer.fields.get("www-authenticate"), 'Basic realm="the shop", charset="UTF-8"');
  }
  assert.equal((await ask({ fields: { authorization: "Basic ???" } })).answer?.status, 401);
});

test("more wrong passwords than can be judged at a time are answered with 503, and the line goes on", async () => {
  const { ask } = basic({ users });
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => (await ask(coded(`ada:${index}`))).answer?.status),
  );
  assert.deepEqual(new Set(statuses), new Set([401, 503]));
  assert.equal((await ask(coded("ada:love:lace"))).answer, undefined);
});

test("what cannot know any password closes the route", async () => {
  for (const [field, spec] of [
    ["users", {}],
    ["users[0].passwordHash", { users: [{ username: "a", passwordHash: "plain" }] }],
    ["users[0].username", { users: [{ username: "a:b", passwordHash: users[0]?.passwordHash ?? "" }] }],
  ] as const) {
    const { ask, around } = basic(spec);
    assert.equal((await ask(coded("a:plain"))).answer?.status, 503);
    assert.deepEqual(
      around.notes.map((note) => note.field),
      [`spec.authentication.basic.${field}`],
    );
    assert.ok(!JSON.stringify(around.notes).includes("plain"));
  }
});

test("whatever is sent as a password is refused and breaks nothing", async () => {
  const { ask } = basic({ users: users.slice(1) });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.base64String()), async (text) => {
      const { answer } = await ask({ fields: { authorization: `Basic ${text}` } });
      return answer?.status === 401;
    }),
  );
});
