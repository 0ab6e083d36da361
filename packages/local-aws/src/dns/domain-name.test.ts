import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isWithin, nameOfLabels, parentName, parseDomainName, wildcardBelow, wireLabels } from "./domain-name.ts";

test("names have one form, however they are written", () => {
  const cases: [string, string][] = [
    ["Example.COM", "example.com."],
    ["example.com.", "example.com."],
    ["*.example.com", "\\052.example.com."],
    ["\\052.example.com", "\\052.example.com."],
    ["\\141.com", "a.com."],
    ["\\101.com", "a.com."],
    ["a\\056b.com", "a\\056b.com."],
    ["_dmarc.x-1.com", "_dmarc.x-1.com."],
    [".", "."],
  ];
  for (const [given, name] of cases) assert.equal(parseDomainName(given), name);
});

test("what is no name is told with its reason", () => {
  const cases: [string, string][] = [
    ["", "DomainNameEmpty"],
    ["a..b", "DomainLabelEmpty"],
    [".a", "DomainLabelEmpty"],
    [`${"x".repeat(64)}.com`, "DomainLabelTooLong"],
    [`${"x".repeat(63)}.`.repeat(4), "DomainNameTooLong"],
    ["x.".repeat(100_000), "DomainNameTooLong"],
    ["a b", "UnsupportedCharacter"],
    ["ä.de", "UnsupportedCharacter"],
    ["a\\", "UnsupportedCharacter"],
    ["a\\400", "UnsupportedCharacter"],
    ["a\\.b", "UnsupportedCharacter"],
  ];
  for (const [given, problem] of cases) {
    const parsed = parseDomainName(given);
    assert.ok(
      typeof parsed === "object" && parsed.problem === problem,
      `${given.slice(0, 40)}: ${JSON.stringify(parsed)}`,
    );
  }
});

test("a name is the same after messages and texts, whatever bytes its labels have", () => {
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 8 });
  fc.assert(
    fc.property(labels, (given) => {
      const name = nameOfLabels(given);
      assert.equal(parseDomainName(name), name);
      assert.equal(nameOfLabels(wireLabels(name)), name);
      assert.equal(wireLabels(name).length, given.length);
    }),
  );
});

test("a name is within itself and all that is above it, by whole labels", () => {
  assert.ok(isWithin("a.example.com.", "example.com."));
  assert.ok(isWithin("example.com.", "example.com."));
  assert.ok(isWithin("example.com.", "."));
  assert.ok(!isWithin("badexample.com.", "example.com."));
  assert.ok(!isWithin("com.", "example.com."));
  assert.deepEqual([parentName("a.com."), parentName("com."), parentName(".")], ["com.", ".", undefined]);
  assert.equal(wildcardBelow("example.com."), "\\052.example.com.");
});
