import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@gatewright/runtime";
import { readSecretKeys } from "./secret-keys.ts";
import type { Identity } from "./way.ts";

const { signal } = new AbortController();
const ref = (key: string) => ({ namespace: "shop", name: "keys", key });
const IDENTITY: Extract<Identity, { from: "secret" }> = {
  from: "secret",
  id: ref("id"),
  secret: ref("secret"),
  token: { ...ref("token"), optional: true },
};

function read(data: Readonly<Record<string, string>>, type = "Opaque", identity = IDENTITY) {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  const metadata = { namespace: "shop", name: "keys", resourceVersion: "7" };
  const found = { metadata, type, data: encoded };
  const client = { for: () => ({ find: async () => found }) } as unknown as Client;
  return readSecretKeys(client, identity, "shop", signal);
}

test("values are taken without the line breaks after them, and an optional token may be missing", async () => {
  assert.deepEqual(await read({ id: "AKIA\n", secret: " s3cret" }), {
    credentials: { accessKeyId: "AKIA", secretAccessKey: "s3cret" },
    version: "shop/keys@7",
  });
  assert.deepEqual(await read({ id: "A", secret: "s", token: "t" }), {
    credentials: { accessKeyId: "A", secretAccessKey: "s", sessionToken: "t" },
    version: "shop/keys@7",
  });
});

test("what is missing, empty, no key of AWS, or kept by others is told by name and not by value", async () => {
  const named = async (answer: ReturnType<typeof read>): Promise<string> => {
    const told = await answer;
    assert.ok("reason" in told && told.reason.reason === "CredentialsMissing");
    assert.doesNotMatch(told.message, /hidden/);
    return told.message;
  };
  assert.equal(await named(read({ id: "hidden" })), "Secret shop/keys has no value under secret.");
  assert.equal(await named(read({ id: "hidden", secret: " \n" })), "Secret shop/keys has no value under secret.");
  assert.equal(await named(read({ id: "hidden\r\nx: y", secret: "hidden" })), "id of shop/keys is no key of AWS.");
  const token = "kubernetes.io/service-account-token";
  assert.equal(await named(read({ id: "hidden", secret: "hidden" }, token)), `Secret shop/keys is of type ${token}.`);
  const required = { ...IDENTITY, token: ref("token") };
  assert.equal(
    await named(read({ id: "a", secret: "b" }, "Opaque", required)),
    "Secret shop/keys has no value under token.",
  );
  const inherited = { ...IDENTITY, id: ref("constructor") };
  assert.equal(
    await named(read({ secret: "b" }, "Opaque", inherited)),
    "Secret shop/keys has no value under constructor.",
  );
});

test("what can be no name of a Secret is no Secret, and the server is not asked", async () => {
  const client = { for: () => assert.fail("asked") } as unknown as Client;
  for (const bad of [
    { name: "a/b" },
    { name: "50%" },
    { name: ".." },
    { namespace: "shop/x", name: "keys" },
    { namespace: "", name: "keys" },
  ]) {
    const at = { ...ref("id"), ...bad };
    const told = await readSecretKeys(client, { ...IDENTITY, id: at }, "shop", signal);
    assert.ok("reason" in told && told.reason.reason === "CredentialsMissing");
    assert.match(told.message, /^There is no Secret /);
  }
});
