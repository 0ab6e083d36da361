import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseYaml } from "./yaml.ts";

const parse = (text: string) => parseYaml(new TextEncoder().encode(text));

describe("parseYaml", () => {
  it("reads scalars by YAML 1.1 as Kubernetes does", () => {
    const text = `
      bools: [yes, No, on, OFF, y, N, true, False]
      nulls: [~, null, ]
      ints: [0x10, 017, 0o10, 0b11, 1_000, -0x1F, +3]
      floats: [1.5, .5, 12e03, 08]
      texts: ['yes', 190:20:30, 2001-01-01, "12", 1.2.3, "~", !!str 12, !foo bar, !!binary YWJj]
    `;
    assert.deepEqual(parse(text).value, {
      bools: [true, false, true, false, true, false, true, false],
      nulls: [null, null],
      ints: [16, 15, 8, 3, 1000, -31, 3],
      floats: [1.5, 0.5, 12000, 8],
      texts: ["yes", "190:20:30", "2001-01-01", "12", "1.2.3", "~", "12", "bar", "abc"],
    });
  });

  it("makes strings of keys", () => {
    assert.deepEqual(parse("{1: a, 1.5: b, true: c, 2001-01-01: d}").value, {
      1: "a",
      1.5: "b",
      true: "c",
      "2001-01-01": "d",
    });
    assert.throws(() => parse("~: a"), /unsupported map key/);
    assert.throws(() => parse("{? [a] : b}"), /invalid map key/);
  });

  it("tells duplicate keys by line", () => {
    const { value, duplicates } = parse("data:\n  a: 1\n  a: 2\n  b: {c: 1, c: 2}\n");
    assert.deepEqual(value, { data: { a: 2, b: { c: 2 } } });
    assert.deepEqual(duplicates, ['line 3: key "a" already set in map', 'line 4: key "c" already set in map']);
    assert.deepEqual(parse('{"q":"1","q":"2"}').duplicates, ['line 1: key "q" already set in map']);
  });

  it("expands aliases and merge keys; own keys win", () => {
    assert.deepEqual(parse("a: &x {q: 1, r: 2}\nb:\n  <<: *x\n  q: 3\nc: *x\n").value, {
      a: { q: 1, r: 2 },
      b: { q: 3, r: 2 },
      c: { q: 1, r: 2 },
    });
    assert.deepEqual(parse("{<<: [{a: 1, b: 1}, {a: 2, c: 2}], d: 3}").value, { d: 3, a: 1, b: 1, c: 2 });
    assert.deepEqual(parse("{'<<': 1}").value, { "<<": 1 });
    assert.throws(() => parse("{<<: 1}"), /map merge requires map or sequence of maps as the value/);
    assert.throws(() => parse("a: *u"), { message: "yaml: unknown anchor 'u' referenced" });
  });

  it("stops alias bombs, cycles and deep nesting", () => {
    let bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (let i = 1; i < 12; i++) bomb += `a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join()}]\n`;
    assert.throws(() => parse(bomb), { message: "yaml: document contains excessive aliasing" });
    assert.throws(() => parse("a: &a [*a]"), { name: "BodySyntaxError" });
    assert.throws(() => parse("[".repeat(50_000)), { name: "BodySyntaxError" });
    assert.throws(() => parse("- ".repeat(50_000)), { name: "BodySyntaxError" });
  });

  it("reads one document and ignores what follows", () => {
    assert.deepEqual(parse("a: b\n---\nfoo: [").value, { a: "b" });
    assert.equal(parse("").value, null);
    assert.throws(() => parse("%YAML 1.2\n---\na: b"), { message: "yaml: found incompatible YAML document" });
  });

  it("names the line of an error", () => {
    assert.throws(() => parse("a: b: c\n"), { message: "yaml: mapping values are not allowed in this context" });
    assert.throws(() => parse("a: 1\nb:\n  - [1\nc: 2\n"), /^BodySyntaxError: yaml: line \d+: /);
    assert.throws(() => parse("{a: .inf}"), { message: "json: unsupported value: +Inf" });
  });

  it("keeps prototype names as data", () => {
    assert.equal(
      JSON.stringify(parse("__proto__: {x: 1}\nconstructor: 2").value),
      '{"__proto__":{"x":1},"constructor":2}',
    );
  });

  it("reads JSON as JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parse(text), { value: JSON.parse(text), duplicates: [] });
      }),
    );
  });

  it("refuses a large document unless it is JSON", () => {
    const items = Array.from({ length: 300_000 }, () => "a");
    assert.throws(() => parse(items.map((item) => `- ${item}`).join("\n")), /larger than 1 MiB; send it as JSON/);
    assert.equal((parse(JSON.stringify({ items })).value as { items: string[] }).items.length, 300_000);
  });
});
