import assert from "node:assert/strict";
import { test } from "node:test";
import { madeCall } from "../filters/testing/made-call.ts";
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
    assert.equal(rewriteTarget(uri, [{ uri: { prefix } }])(madeCall({ target: path })), expected);
  });
}

test("an exact match, a regular expression or a template has its whole path replaced", () => {
  assert.equal(rewriteTarget("/new", [{ uri: { exact: "/old" } }])(madeCall({ target: "/old" })), "/new");
  assert.equal(rewriteTarget("/new", [{}])(madeCall({ target: "/some/thing" })), "/new");
  const call = madeCall({ target: "/users/7/posts", parameters: { id: "7" } });
  assert.equal(rewriteTarget("/people/{id}", [{ uri: { prefix: "/users" } }])(call), "/people/7");
});

test("the longest prefix that the path has is the one that is replaced, by elements", () => {
  const rewrite = rewriteTarget("/x", [{ uri: { prefix: "/a" } }, { uri: { prefix: "/a/b" } }]);
  assert.equal(rewrite(madeCall({ target: "/a/b/c" })), "/x/c");
  assert.equal(rewrite(madeCall({ target: "/a/bc" })), "/x/bc");
});

test("the query stays, behind one of the rewrite's own", () => {
  assert.equal(rewriteTarget("/n", [])(madeCall({ target: "/o?a=1" })), "/n?a=1");
  assert.equal(rewriteTarget("/n?v=2", [])(madeCall({ target: "/o?a=1" })), "/n?v=2&a=1");
});

test("what has to be escaped may be written without, in the prefix and in what takes its place", () => {
  assert.equal(rewriteTarget("/a b", [{ uri: { prefix: "/é" } }])(madeCall({ target: "/%C3%A9/c" })), "/a%20b/c");
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
