import assert from "node:assert/strict";
import { test } from "node:test";
import { hashSync } from "bcryptjs";
import { BcryptThread } from "./bcrypt-thread.ts";

const hash = hashSync("right", 4);

test("secrets are compared on another thread, each with its own answer", async () => {
  const thread = new BcryptThread();
  const found = await Promise.all(["right", "wrong", "right", ""].map((secret) => thread.matches(secret, hash)));
  assert.deepEqual(found, [true, false, true, false]);
  thread.dispose();
});

test("a thread that ends while it is asked costs no answer", async () => {
  const thread = new BcryptThread();
  const slow = hashSync("right", 8);
  const asked = Promise.all([thread.matches("right", slow), thread.matches("wrong", slow)]);
  thread.dispose();
  assert.deepEqual(await asked, [true, false]);
  assert.equal(await thread.matches("right", hash), true);
  thread.dispose();
});
