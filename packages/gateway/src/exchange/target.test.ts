import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normalTarget, TARGET_RULES, withNormalEscapes } from "./target.ts";

const TAKEN: readonly (readonly [string, string])[] = [
  ["/", "/"],
  ["/a/b?c=../d%2f", "/a/b?c=../d%2f"],
  ["/%61%7E%2e", "/a~."],
  ["/a/./b/../c", "/a/c"],
  ["/a/%2E%2e/b", "/b"],
  ["/a/..", "/"],
  ["/a/b/.", "/a/b/"],
  ["/a/b/..?x", "/a/?x"],
  ["/...", "/..."],
  ["/.well-known/x", "/.well-known/x"],
  ["/a%c3%a9", "/a%C3%A9"],
  ["/{x}|y", "/{x}|y"],
  ["/a/../../b", "/b"],
  ["/..", "/"],
  ["//a//b", "//a//b"],
  ["/a%20b%0d%0a", "/a%20b%0D%0A"],
  ["/?", "/?"],
];

test("a target comes to its normal form", () => {
  for (const [raw, normal] of TAKEN) assert.equal(normalTarget(raw, "GET"), normal, raw);
});

test("what could be read in two ways is refused", () => {
  const refused = [
    "",
    "a",
    "*",
    "/a%2fb",
    "/a%5Cb",
    "/%00",
    "/a\\b",
    "/a#b",
    "/a b",
    "/%",
    "/%4",
    "/%zz",
    "/é",
    "/a?é",
  ];
  for (const raw of [...refused, "/a\r\nb", "/a?\r", "/a?\u007f", "http://a/"]) {
    const got = normalTarget(raw, "GET");
    assert.ok(typeof got === "object" && got.status === 400, raw);
  }
  const long = normalTarget(`/${"a".repeat(9000)}`, "GET");
  assert.ok(typeof long === "object" && long.status === 414);
});

test("the asterisk is for OPTIONS", () => {
  assert.equal(normalTarget("*", "OPTIONS"), "*");
});

test("a listener may pass escaped separators and merge slashes", () => {
  const rules = { ...TARGET_RULES, escapedSlashes: "pass", mergeSlashes: true } as const;
  assert.equal(normalTarget("/a%2f..%2Fb", "GET", rules), "/a%2f..%2Fb");
  assert.equal(normalTarget("//a///b//", "GET", rules), "/a/b/");
});

test("the normal form of a normal form is itself", () => {
  const piece = fc.constantFrom("/", ".", "..", "%2e", "%2E", "a", "%61", "%c3", "{", "?", "//", "%25", "%3f", "%2f");
  fc.assert(
    fc.property(fc.array(piece), fc.boolean(), fc.boolean(), (pieces, pass, mergeSlashes) => {
      const rules = { ...TARGET_RULES, mergeSlashes, escapedSlashes: pass ? "pass" : "refuse" } as const;
      const once = normalTarget(`/${pieces.join("")}`, "GET", rules);
      if (typeof once !== "string") return;
      assert.equal(normalTarget(once, "GET", rules), once);
      const path = once.split("?")[0] ?? "";
      assert.ok(!path.split("/").some((segment) => segment === "." || segment === ".."), once);
    }),
  );
});

test("a path that a configuration writes gets the escapes that requests have", () => {
  assert.equal(withNormalEscapes("/café/{id}/a b/*"), "/caf%C3%A9/{id}/a%20b/*");
  assert.equal(withNormalEscapes("/%68ello/%c3%a9"), "/hello/%C3%A9");
  assert.equal(withNormalEscapes("/a%2fb/100%/%zz"), "/a%2fb/100%/%zz");
  fc.assert(
    fc.property(fc.webPath(), fc.string({ unit: "grapheme" }), (path, text) => {
      const asked = normalTarget(`/x${path}/${encodeURIComponent(text)}`, "GET");
      if (typeof asked !== "string") return;
      assert.equal(withNormalEscapes(asked), asked);
    }),
  );
});
