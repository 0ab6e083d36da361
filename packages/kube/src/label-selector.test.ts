import assert from "node:assert/strict";
import { test } from "node:test";
import { formatLabelSelector, selectorFromObject } from "./label-selector.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";
import { parseFieldSelector } from "./field-selector.ts";

const matches = (text: string, labels: Record<string, string>): boolean => parseLabelSelector(text).matches(labels);

test("equality, sets, existence and comparison all hold or fail as written", () => {
  const labels = { app: "web", tier: "front", n: "5" };
  for (const text of [
    "app=web",
    "app==web",
    "app!=db",
    "missing!=x",
    "app in (web,db)",
    "tier notin (back)",
    "x notin (y)",
    "app",
    "!x",
    "n>4",
    "n<6",
    "app=web,tier",
    "",
  ]) {
    assert.ok(matches(text, labels), text);
  }
  for (const text of [
    "app=db",
    "app!=web",
    "app in (db)",
    "x in (y)",
    "tier notin (front)",
    "x",
    "!app",
    "n>5",
    "app>1",
    "x<1",
    "app,x",
  ]) {
    assert.ok(!matches(text, labels), text);
  }
});

test("names of the object prototype are no labels", () => {
  assert.ok(!matches("constructor", {}));
  assert.ok(!matches("toString", {}));
});

test("a value that is left out is the empty one", () => {
  assert.ok(matches("a=", { a: "" }));
  assert.ok(matches("a in (b,)", { a: "" }));
  assert.ok(matches("a in ()", { a: "" }));
  assert.ok(matches("a in (,b)", { a: "b" }));
});

test("keywords are fine as keys and values", () => {
  assert.ok(matches("in in (in,notin)", { in: "notin" }));
});

test("what cannot be read is told in kube-apiserver's words", () => {
  const cases: Record<string, string> = {
    "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    "a=b c": "found 'c', expected: ',' or 'end of string'",
    "a in": "unable to parse requirement: found '' expected: '('",
    "a in (b": "unable to parse requirement: found '', expected: ',' or ')'",
    "!": "unable to parse requirement: found '', expected: identifier",
    "=a": "found '=', expected: !, identifier, or 'end of string'",
    "a>x": `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    "a,,b": "found ',', expected: identifier after ','",
    "x in (=)": "unable to parse requirement: found '=', expected: ',', ')' or identifier",
    "a in (b,=)": "unable to parse requirement: found '=', expected: ',', or identifier",
  };
  for (const [text, message] of Object.entries(cases)) assert.throws(() => parseLabelSelector(text), { message }, text);
});

test("selectors print sorted by key, in a form that reads back", () => {
  const text = formatLabelSelector(parseLabelSelector("z, !y,b in (d,c),a!=1,n>1"));
  assert.equal(text, "a!=1,b in (c,d),n>1,!y,z");
  assert.equal(formatLabelSelector(parseLabelSelector(text)), text);
});

test("a missing selector object selects nothing, an empty one everything", () => {
  assert.ok(!selectorFromObject(undefined).matches({ a: "b" }));
  assert.ok(selectorFromObject({}).matches(undefined));
  const both = selectorFromObject({
    matchLabels: { app: "web" },
    matchExpressions: [{ key: "tier", operator: "NotIn", values: ["db"] }],
  });
  assert.equal(formatLabelSelector(both), "app=web,tier notin (db)");
  assert.ok(both.matches({ app: "web" }));
  assert.throws(() => selectorFromObject({ matchExpressions: [{ key: "a", operator: "Like" }] }), {
    message: '"Like" is not a valid label selector operator',
  });
});

test("field selectors take escapes and tell what is not one", () => {
  assert.deepEqual(parseFieldSelector("metadata.name==a,status.phase!=R\\,x\\="), [
    { label: "metadata.name", operator: "=", value: "a" },
    { label: "status.phase", operator: "!=", value: "R,x=" },
  ]);
  assert.deepEqual(parseFieldSelector(""), []);
  assert.throws(() => parseFieldSelector("a"), { message: "invalid selector: 'a'; can't understand 'a'" });
  assert.throws(() => parseFieldSelector("a=b=c"), {
    message: "invalid field selector: unescaped character in value: 61",
  });
  assert.throws(() => parseFieldSelector("a=\\x"), { message: "invalid field selector: invalid escape sequence: \\x" });
  assert.throws(() => parseFieldSelector("a=b\\"), { message: "invalid field selector: invalid escape sequence: \\" });
});
