import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityOf,
  quantitySign,
  roundedUp,
  subtractQuantities,
} from "./quantity.ts";

test("canonical texts are those of kube-apiserver 1.36", () => {
  const seen: Record<string, string> = {
    "0.5": "500m",
    "1.500": "1.500",
    "+7": "+7",
    "007": "007",
    "1e1": "10",
    "1E3": "1E3",
    "1.1Ki": "1126400m",
    "1000Ki": "1000Ki",
    "1024Mi": "1Gi",
    "1024": "1024",
    "9Ei": "9223372036854775807",
    "1e-10": "1e-9",
    "0.5Ki": "512",
    "1e100": "10e99",
    "12345678901234567890": "12345678901234567890",
    "1.G": "1.G",
    ".5": "500m",
    "-1.5": "-1500m",
    "100000m": "100",
    "1000": "1k",
    "1Ei": "1Ei",
    "0.1Ki": "102400m",
    "-0": "0",
    "+": "0",
    "0.0000000001": "1n",
    // No suffix is known beyond exa, and none is printed.
    "1000E": "1",
  };
  for (const [text, canonical] of Object.entries(seen)) assert.equal(canonicalQuantity(text), canonical, text);
});

test("texts that are no quantities are refused with kube-apiserver's words", () => {
  assert.throws(() => parseQuantity("abc"), { message: /^quantities must match the regular expression/ });
  assert.throws(() => parseQuantity("1e"), { message: "unable to parse quantity's suffix" });
  assert.throws(() => parseQuantity("1e999999999999"), { message: "unable to parse quantity's suffix" });
  assert.equal(quantityOf(true), undefined);
  assert.equal(quantityOf("x"), undefined);
});

test("families do not matter for comparison", () => {
  assert.equal(compareQuantities(parseQuantity("1Ki"), parseQuantity("1024")), 0);
  assert.equal(compareQuantities(parseQuantity("1500m"), parseQuantity("1.5")), 0);
  assert.ok(compareQuantities(parseQuantity("1G"), parseQuantity("1Gi")) < 0);
});

test("an amount with a fractional notation is no integer", () => {
  assert.equal(asInteger(parseQuantity("3k")), 3000n);
  assert.equal(asInteger(parseQuantity("1000m")), undefined);
  assert.equal(asInteger(parseQuantity("1.5Gi")), undefined);
  assert.equal(roundedUp(parseQuantity("1100m")), 2n);
  assert.equal(roundedUp(parseQuantity("-1.1")), -2n);
  assert.equal(roundedUp(parseQuantity("2"), -3), 2000n);
  assert.equal(asApproximateFloat(parseQuantity("1500m")), 1.5);
});

const written = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.nat(1_000_000),
    fc.constantFrom("", ".5", ".25", ".001"),
    fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3"),
  )
  .map((parts) => parts.join(""));

test("printing loses nothing: the canonical text is the same amount and stays as it is, once it is read in the form that it has", () => {
  fc.assert(
    fc.property(written, (text) => {
      const canonical = canonicalQuantity(text);
      assert.equal(compareQuantities(parseQuantity(canonical), parseQuantity(text)), 0);
      const read = canonicalQuantity(canonical);
      assert.equal(compareQuantities(parseQuantity(read), parseQuantity(text)), 0);
      assert.equal(canonicalQuantity(read), read);
    }),
  );
});

test("a binary amount that is no multiple of 1024 is printed without a suffix, which reads as decimal, as with Kubernetes", () => {
  assert.equal(canonicalQuantity("190906.25Ki"), "195488000");
  assert.equal(canonicalQuantity("195488000"), "195488k");
});

test("what is added can be taken away again", () => {
  fc.assert(
    fc.property(written, written, (a, b) => {
      const [x, y] = [parseQuantity(a), parseQuantity(b)];
      const sum = addQuantities(x, y);
      assert.equal(compareQuantities(subtractQuantities(sum, y), x), 0);
      assert.equal(compareQuantities(sum, addQuantities(y, x)), 0);
      assert.equal(quantitySign(subtractQuantities(x, x)), 0);
      assert.equal(compareQuantities(parseQuantity(formatQuantity(sum)), sum), 0);
    }),
  );
});
