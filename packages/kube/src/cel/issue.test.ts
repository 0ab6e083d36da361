import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "./compile.ts";
import { objectType, stringType } from "./types.ts";

function message(expression: string): string {
  const self = objectType("selfType", new Map([["name", stringType]]));
  const result = compile(expression, { variables: new Map([["self", self]]) });
  return result.ok ? "" : result.message;
}

test("an issue shows the line and points at the place", () => {
  assert.equal(message("self.foo"), "ERROR: <input>:1:5: undefined field 'foo'\n | self.foo\n | ....^");
});

test("several issues are shown in the order of the source", () => {
  assert.equal(
    message("self.a == 1 &&\n\tself.b"),
    "ERROR: <input>:1:5: undefined field 'a'\n | self.a == 1 &&\n | ....^\nERROR: <input>:2:6: undefined field 'b'\n |  self.b\n | .....^",
  );
});

test("wide characters before the place are underlined with wide dots", () => {
  assert.equal(
    message("'é😀' + 1"),
    "ERROR: <input>:1:6: found no matching overload for '_+_' applied to '(string, int)'\n | 'é😀' + 1\n | .．．..^",
  );
});

test("an empty expression has no line to show", () => {
  assert.match(message(""), /^ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting \{.*\}$/);
});

test("after a hundred issues the rest is counted", () => {
  const shown = message(Array.from({ length: 103 }, (_, i) => `a${i}`).join(" && "));
  assert.equal(shown.split("\n").at(-1), "3 more errors were truncated");
});

test("a constant that cannot be converted is found when the program is made", () => {
  const result = compile("int('abc') == 1", { variables: new Map() });
  assert.ok(!result.ok);
  assert.equal(result.stage, "instantiation");
  assert.equal(result.message, "type conversion error from 'string' to 'int'");
});
