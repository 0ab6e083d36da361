import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchesWildcard } from "./wildcard.ts";

/** By the book: tries everything. */
function naive(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === "*") return naive(rest, text) || (text !== "" && naive(pattern, text.slice(1)));
  return text !== "" && (first === "?" || first === text[0]) && naive(rest, text.slice(1));
}

test("wildcards match as one that tries everything says", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "?"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, letters, (some, text) => {
      assert.equal(matchesWildcard(some, text), naive(some, text));
    }),
    { numRuns: 2000 },
  );
});

test("a pattern made of its own text with wildcards matches it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.constantFrom("keep", "*", "?")), { maxLength: 6 }),
      (parts) => {
        const literal = (text: string): string => text.replaceAll(/[\\*?]/g, (letter) => `\\${letter}`);
        const pattern = parts.map(([text, how]) =>
          how === "keep" ? literal(text) : how === "*" ? "*" : [...text].map(() => "?").join(""),
        );
        const text = parts.map(([piece]) => piece).join("");
        assert.ok(matchesWildcard(pattern.join(""), text, { escapes: true }));
      },
    ),
  );
});

test("many stars on a long text take no long time", () => {
  assert.equal(matchesWildcard(`${"*a".repeat(60)}b`, "a".repeat(16_000)), false);
});
