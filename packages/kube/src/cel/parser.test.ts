import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compile } from "./compile.ts";
import { parse } from "./parser.ts";

function complaint(expression: string): string | undefined {
  const parsed = parse(expression);
  return parsed.ok ? undefined : parsed.issues[0]?.message;
}

test("parentheses, lists and conditions may be nested 249 deep, and no deeper", () => {
  const limit = "expression recursion limit exceeded: 250";
  for (const [open, close] of [
    ["(", ")"],
    ["[", "]"],
    ["true ? 1 : ", ""],
  ] as const) {
    assert.equal(complaint(open.repeat(249) + "1" + close.repeat(249)), undefined);
    assert.equal(complaint(open.repeat(250) + "1" + close.repeat(250)), limit);
    assert.equal(complaint(open.repeat(9000) + "1" + close.repeat(9000)), limit);
  }
});

test("a chain of operators, fields, methods or indices may be 250 long", () => {
  for (const [start, link] of [
    ["1", "+1"],
    ["1", " * 1"],
    ["x", ".a"],
    ["x", "[0]"],
    ["[1]", ".map(x,x)"],
    ["1 == 1", " == true"],
  ] as const) {
    const most = link === " == true" ? 249 : 250;
    assert.equal(complaint(start + link.repeat(most)), undefined, link);
    assert.equal(complaint(start + link.repeat(most + 1)), "max recursion depth exceeded", link);
  }
});

test("chains of && and || may be as long as an expression can be", () => {
  assert.equal(complaint(`true${" && true".repeat(10_000)}`), undefined);
  assert.equal(complaint(`true${" || true".repeat(10_000)}`), undefined);
});

test("an expression may have 100,000 characters", () => {
  assert.equal(complaint(`'${"a".repeat(99_998)}'`), undefined);
  assert.equal(complaint(`'${"😀".repeat(99_998)}'`), undefined);
  assert.equal(
    complaint(`'${"a".repeat(99_999)}'`),
    "expression code point size exceeds limit: size: 100001, limit 100000",
  );
});

test("macros that mention their target twice do not make the expression grow", () => {
  const result = compile(`optional.of(1)${".optMap(x, x + 1)".repeat(200)}`, { variables: new Map() });
  assert.equal(result.ok, true);
  if (result.ok) result.program.estimateCost();
});

test("no text makes the compiler fail in any other way than with issues", () => {
  const tokens = fc.constantFrom(
    ..."a b.c x 1 1u 1.5 'q' b'q' r'q' true null in ( ) [ ] { } . , : ? ! - + * / % == != <= && || .? [? has( .all(e, .map( ` \" ' \\ @ é 😀".split(
      " ",
    ),
  );
  const source = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(tokens, { maxLength: 30 }).map((parts) => parts.join(" ")),
    fc.array(tokens, { maxLength: 30 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(source, (text) => {
      const result = compile(text, { variables: new Map() });
      if (!result.ok) assert.ok(result.message.length > 0);
    }),
    { numRuns: 500 },
  );
});
