import assert from "node:assert/strict";
import { test } from "node:test";
import { compareResourceVersions } from "./resource-version.ts";

test("versions are ordered by value, also beyond what a number can hold", () => {
  assert.ok(compareResourceVersions("9", "10")! < 0);
  assert.equal(compareResourceVersions("10", "10"), 0);
  assert.ok(compareResourceVersions("9007199254740993", "9007199254740992")! > 0);
});

test("what is not a decimal number has no order", () => {
  for (const odd of ["", "01", "-1", "1.0", "abc", "1e3", " 1"]) {
    assert.equal(compareResourceVersions(odd, "1"), undefined, odd);
    assert.equal(compareResourceVersions("1", odd), undefined, odd);
  }
});
