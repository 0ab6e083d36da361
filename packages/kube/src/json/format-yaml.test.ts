import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatYaml } from "./format-yaml.ts";
import { deepEqual } from "./equal.ts";
import type { Json } from "./json.ts";
import { parseYaml } from "./yaml.ts";

const read = (text: string): Json => parseYaml(Buffer.from(text)).value;

test("texts that look like something else are quoted", () => {
  for (const text of [
    "on",
    "y",
    "No",
    "~",
    "null",
    "1e3",
    "0x1f",
    "0o7",
    "017",
    "1_000",
    "0:30",
    "2026-01-01",
    "",
    " a",
    "a: b",
  ]) {
    assert.equal(read(formatYaml({ text })) && (read(formatYaml({ text })) as { text: string }).text, text, text);
  }
});

test("what is shared is written out, and long lines stay whole", () => {
  const shared = { text: "word ".repeat(50).trim() };
  const yaml = formatYaml({ a: shared, b: shared });
  assert.equal(yaml, `a:\n  text: ${shared.text}\nb:\n  text: ${shared.text}\n`);
});

test("any value is read back as it was", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "yes",
      "<<",
      "=",
      "1.",
      ".5",
      "+1",
      "-",
      "#",
      "a\nb\n",
      "\tx",
      "%a",
      "@b",
      "0b1",
      "1e3",
      "12:30:45",
      ".inf",
      "!!str",
    ),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      text,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const back = read(formatYaml({ json }));
      assert.ok(
        deepEqual(back, { json }),
        `${JSON.stringify(json)} became ${JSON.stringify(back)} by way of\n${formatYaml({ json })}`,
      );
    }),
    { numRuns: 500 },
  );
});
