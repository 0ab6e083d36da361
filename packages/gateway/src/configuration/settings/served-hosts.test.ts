import assert from "node:assert/strict";
import { test } from "node:test";
import { servedHosts } from "./served-hosts.ts";

test("a listener serves the names it has, those below its wildcards, and all when it has none", () => {
  const serves = servedHosts(["shop.example.com", "*.example.org"]);
  for (const host of ["shop.example.com", "SHOP.example.com", "a.example.org", "a.b.example.org"])
    assert.ok(serves(host));
  for (const host of ["example.com", "a.shop.example.com", "example.org", ".example.org", "aexample.org", "*"])
    assert.ok(!serves(host), host);
  assert.ok(servedHosts(undefined)("anything"));
});
