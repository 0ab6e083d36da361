import assert from "node:assert/strict";
import { test } from "node:test";
import { literalPrefix } from "./literal-prefix.ts";

const PREFIXES: readonly (readonly [pattern: string, prefix: string])[] = [
  ["/api/v[0-9]+/users", "/api/v"],
  ["^/api/.*$", "/api/"],
  ["/files/report\\.pdf", "/files/report.pdf"],
  ["/a/\\d+", "/a/"],
  ["/ab?c", "/a"],
  ["/ab*", "/a"],
  ["/ab{2}", "/a"],
  ["/ab+c", "/ab"],
  ["/a|/b", ""],
  ["/x/(a|b)", "/x/"],
  ["/x/[a|b]", "/x/"],
  ["/x/[]|]", "/x/"],
  ["/x/[[:alpha:](]|/y", ""],
  ["/x/\\||/y", ""],
  ["/\\Qa|b\\E", ""],
  ["/x/\\Qa.b\\E", "/x/"],
  ["(?i)/api", ""],
  ["/api(?i)/x", "/api"],
  [".*", ""],
  ["", ""],
];

for (const [pattern, prefix] of PREFIXES)
  test(`what ${JSON.stringify(pattern)} matches begins with ${JSON.stringify(prefix)}`, () => {
    assert.equal(literalPrefix(pattern), prefix);
  });
