import assert from "node:assert/strict";
import { test } from "node:test";
import { madeCall } from "../filters/testing/made-call.ts";
import type { PathMatch } from "../table/match-row.ts";
import { checkRewrite, rewriteTarget } from "./rewrite.ts";
import type { RewriteSpec } from "./rewrite.ts";

/** The Gateway API's table for replacing prefixes. */
const PREFIXES: readonly (readonly [path: string, prefix: string, replacement: string, expected: string])[] = [
  ["/foo/bar", "/foo", "/xyz", "/xyz/bar"],
  ["/foo/bar", "/foo", "/xyz/", "/xyz/bar"],
  ["/foo/bar", "/foo/", "/xyz", "/xyz/bar"],
  ["/foo/bar", "/foo/", "/xyz/", "/xyz/bar"],
  ["/foo", "/foo", "/xyz", "/xyz"],
  ["/foo/", "/foo", "/xyz", "/xyz/"],
  ["/foo/bar", "/foo", "/", "/bar"],
  ["/foo/", "/foo", "/", "/"],
  ["/foo", "/foo", "/", "/"],
  ["/any", "/", "/xyz", "/xyz/any"],
];
for (const [path, prefix, uri, expected] of PREFIXES) {
  test(`${path} with ${prefix} replaced by ${uri} is ${expected}`, () => {
    assert.equal(rewriteTarget(uri)(madeCall({ target: path, matched: { type: "prefix", value: prefix } })), expected);
  });
}

test("an exact match, a regular expression or a template has its whole path replaced", () => {
  const whole = (matched: PathMatch): string => rewriteTarget("/new")(madeCall({ target: "/old/x", matched }));
  assert.equal(whole({ type: "exact", value: "/old/x" }), "/new");
  assert.equal(whole({ type: "regex", value: "/old/.*" }), "/new");
  assert.equal(whole({ type: "template", value: "/{name}", prefix: true }), "/new");
  const matched = { type: "prefix", value: "/users" } as const;
  const call = madeCall({ target: "/users/7/posts", matched, parameters: { id: "7" } });
  assert.equal(rewriteTarget("/people/{id}")(call), "/people/7");
});

test("a name that the path does not have stays as it is written", () => {
  const matched = { type: "template", value: "/users/{id}", prefix: false } as const;
  const call = madeCall({ target: "/users/7", matched, parameters: { id: "7" } });
  assert.equal(rewriteTarget("/u/{id}/{other}")(call), "/u/7/{other}");
});

test("the query stays, behind one of the rewrite's own", () => {
  const matched = { type: "exact", value: "/o" } as const;
  assert.equal(rewriteTarget("/n")(madeCall({ target: "/o?a=1", matched })), "/n?a=1");
  assert.equal(rewriteTarget("/n?v=2")(madeCall({ target: "/o?a=1", matched })), "/n?v=2&a=1");
});

test("what has to be escaped may be written without", () => {
  const matched = { type: "prefix", value: "/%C3%A9" } as const;
  assert.equal(rewriteTarget("/a b")(madeCall({ target: "/%C3%A9/c", matched })), "/a%20b/c");
});

test("what no request could be sent with is told", () => {
  const fieldsOf = (spec: RewriteSpec): string => {
    const fields: string[] = [];
    checkRewrite(spec, { note: ({ field, severity }) => fields.push(`${severity} ${field}`) });
    return fields.join();
  };
  assert.equal(fieldsOf({ uri: "/a b?c=d", authority: "Up.example.com:8080" }), "");
  assert.equal(fieldsOf({ uri: "", authority: "" }), "");
  assert.equal(fieldsOf({ uri: "nowhere" }), "error spec.rewrite.uri");
  for (const uri of ["/a#b", "/a\\b", "/a\nb"]) assert.equal(fieldsOf({ uri }), "error spec.rewrite.uri");
  assert.equal(fieldsOf({ authority: "a b" }), "error spec.rewrite.authority");
});
