import assert from "node:assert/strict";
import { test } from "node:test";
import { served } from "../testing/served.ts";

/** The path that Envoy makes of one, by the rewrite of a route. */
function rewritten(uri: { readonly prefix?: string; readonly exact?: string }, to: string, path: string): string {
  const [route] = served({
    match: [{ uri: { ...uri } }],
    rewrite: { uri: to },
    route: [{ destination: { host: "10.0.0.1", port: 80 } }],
  }).routes;
  const action = route?.["route"] as unknown as { readonly regexRewrite: Rewrite } | undefined;
  const { pattern, substitution } = action?.regexRewrite ?? { pattern: { regex: "" }, substitution: "" };
  const regex = new RegExp(pattern.regex.replaceAll("(?P<", "(?<"), "u");
  return path.replace(regex, substitution.replaceAll(/\\(\d)/gu, "$$$1"));
}

interface Rewrite {
  readonly pattern: { readonly regex: string };
  readonly substitution: string;
}

for (const [prefix, to, path, expected] of [
  ["/foo", "/xyz", "/foo/bar", "/xyz/bar"],
  ["/foo", "/xyz", "/foo", "/xyz"],
  ["/foo", "/xyz", "/foo/", "/xyz/"],
  ["/foo/", "/xyz/", "/foo/bar", "/xyz/bar"],
  ["/foo", "/", "/foo/bar", "/bar"],
  ["/foo", "/", "/foo", "/"],
  ["/foo", "/", "/foo/", "/"],
  ["/a.b", "/x", "/a.b/c", "/x/c"],
] as const)
  test(`the prefix ${prefix} of ${path} gives way to ${to}`, () => {
    assert.equal(rewritten({ prefix }, to, path), expected);
  });

test("names of the matched path are filled in", () => {
  assert.equal(rewritten({ exact: "/users/{id}/{order}" }, "/o/{order}/u/{id}", "/users/7/9"), "/o/9/u/7");
});

test("names may have any characters", () => {
  assert.equal(rewritten({ exact: "/users/{user-id}" }, "/u/{user-id}", "/users/7"), "/u/7");
});

test("what has to be escaped may be written without", () => {
  assert.equal(rewritten({ prefix: "/a" }, "/café", "/a/b"), "/caf%C3%A9/b");
});

test("a name that the path does not have stays as it is written", () => {
  assert.equal(rewritten({ exact: "/users/{id}" }, "/u/{other}", "/users/7"), "/u/{other}");
});
