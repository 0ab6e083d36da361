import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { toYaml } from "./to-yaml.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", " ", "\n", ":", "#", "-", "'", '"', "{", "0", ".", "\t", "|", "é") }),
  fc.constantFrom(
    "yes",
    "null",
    "~",
    "1e3",
    "0x1f",
    "2030-01-01",
    "12:30",
    "- a",
    "a: b",
    "a #b",
    "",
    " ",
    "\n",
    "a\n",
    "a\n\nb",
    "*x",
    "&y",
    "!z",
  ),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      texts.filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

for (const version of ["1.2", "1.1"] as const) {
  test(`what is written is read back as the same value, by readers of YAML ${version}`, () => {
    fc.assert(
      fc.property(values, (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as unknown;
        assert.deepEqual(parse(toYaml(sent), { version, merge: false }), sent, toYaml(sent));
      }),
      { numRuns: 500 },
    );
  });
}

test("objects are laid out as kubectl prints them", () => {
  const object = {
    apiVersion: "v1",
    metadata: { name: "a", labels: {}, gone: undefined },
    spec: { ports: [{ port: 80, names: ["x", "yes"] }], note: "one\ntwo\n", empty: [] },
  };
  assert.equal(
    toYaml(object),
    [
      "apiVersion: v1",
      "metadata:",
      "  name: a",
      "  labels: {}",
      "spec:",
      "  ports:",
      "  - port: 80",
      "    names:",
      "    - x",
      '    - "yes"',
      "  note: |",
      "    one",
      "    two",
      "  empty: []",
      "",
    ].join("\n"),
  );
});
