import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionName } from "./session-name.ts";

test("a session's name tells namespace and name, and is never longer than AWS allows", () => {
  assert.equal(sessionName("shop", "aws"), "gatewright@shop@aws");
  for (const [namespace, name] of [
    ["n".repeat(63), "a".repeat(253)],
    ["n".repeat(63), "a"],
    ["n", "a".repeat(253)],
  ] as const) {
    const made = sessionName(namespace, name);
    assert.match(made, /^[\w+=,.@-]{2,64}$/);
    assert.equal(made.split("@").length, 3);
  }
});

test("what was cut stays apart", () => {
  const long = "n".repeat(62);
  assert.notEqual(sessionName(`${long}a`, "aws"), sessionName(`${long}b`, "aws"));
  assert.notEqual(sessionName("shop", `${"a".repeat(252)}b`), sessionName("shop", `${"a".repeat(252)}c`));
});
