import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTokenFile } from "./static-tokens.ts";

test("a token file has a token, a user, a uid and perhaps groups in each line", () => {
  const text = 'admin,admin,1,"system:masters"\r\nx, bob ,2\n\n"quo""ted",carol,,"a, b"\n';
  assert.deepEqual(parseTokenFile(text), [
    { token: "admin", user: { username: "admin", uid: "1", groups: ["system:masters"] } },
    { token: "x", user: { username: "bob", uid: "2", groups: [] } },
    { token: 'quo"ted', user: { username: "carol", groups: ["a", "b"] } },
  ]);
});

test("a line that is not one is told by its number, without the token", () => {
  assert.throws(
    () => parseTokenFile("a,b,c\nsecretwithoutuser\n"),
    (error: Error) => {
      assert.match(error.message, /^line 2 /);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    },
  );
});
