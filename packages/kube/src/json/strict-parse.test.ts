import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deepClone } from "./clone.ts";
import { deepEqual } from "./equal.ts";
import { deepFreeze } from "./freeze.ts";
import { MAX_DEPTH } from "./json-syntax.ts";
import { parseJson } from "./strict-parse.ts";

const parse = (text: string) => parseJson(new TextEncoder().encode(text));

/** Bodies and the messages that a kube-apiserver gave for them. */
const BROKEN: readonly [string, string][] = [
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['{"a":"b', "unexpected end of JSON input"],
  ['{"a":1e', "invalid character ' ' in exponent of numeric literal"],
  ['{"a":t', "invalid character ' ' in literal true (expecting 'r')"],
  ['{"a":"\\u00', "invalid character ' ' in \\u hexadecimal character escape"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ["xyz", "invalid character 'x' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ["{} x", "invalid character 'x' after top-level value"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\u0001"}', "invalid character '\\x01' in string literal"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":-}', "invalid character '}' in numeric literal"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
];

describe("parseJson", () => {
  for (const [body, message] of BROKEN) {
    it(`refuses ${JSON.stringify(body)} as Go does`, () => {
      assert.throws(() => parse(body), { name: "BodySyntaxError", message });
    });
  }

  it("tells duplicate keys by path, each path once, and keeps the last value", () => {
    const { value, duplicates } = parse('{"a":{"b":[1,{"c":1,"c":2,"c":3}],"a.b":1,"a.b":2},"q\\"":1,"q\\"":"]}:,"}');
    assert.deepEqual(duplicates, ['duplicate field "a.b[1].c"', 'duplicate field "a.a.b"', 'duplicate field "q\\""']);
    assert.deepEqual(value, { a: { b: [1, { c: 3 }], "a.b": 2 }, 'q"': "]}:," });
  });

  it("keeps prototype names as data", () => {
    const { value, duplicates } = parse('{"__proto__":{"x":1},"constructor":2}');
    assert.equal(JSON.stringify(value), '{"__proto__":{"x":1},"constructor":2}');
    assert.deepEqual(duplicates, []);
  });

  it("makes U+FFFD of each byte that is not UTF-8", () => {
    assert.equal(
      parseJson(Uint8Array.of(0x22, 0xff, 0xe2, 0x82, 0x41, 0xc3, 0xa9, 0x22)).value,
      "\ufffd\ufffd\ufffdA\u00e9",
    );
  });

  it("limits nesting so that every recursive walk survives what it lets through", () => {
    const nested = (depth: number): string => `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`;
    const { value } = parse(nested(MAX_DEPTH));
    assert.ok(deepEqual(deepFreeze(deepClone(value)), value));
    assert.throws(() => parse(nested(MAX_DEPTH + 2)), { message: "invalid character '{' exceeded max depth" });
    assert.throws(() => parse("[".repeat(2_000_000)), { message: "invalid character '[' exceeded max depth" });
    assert.throws(() => parse(`${"[".repeat(500_000)}${"]".repeat(500_000)}`), {
      message: "invalid character '[' exceeded max depth",
    });
  });

  it("reads whatever JSON.stringify writes, and finds no duplicates in it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parse(text), { value: JSON.parse(text), duplicates: [] });
      }),
    );
  });

  it("finds an error wherever JSON.parse does", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom("", "{", "]", ",", '"', "\\", "-", "e", ":"),
        (text, seed, insert) => {
          const at = seed % (text.length + 1);
          const broken = text.slice(0, at) + insert + text.slice(at + 1);
          let valid = true;
          try {
            valid = !JSON.stringify(
              JSON.parse(broken, (_, v: unknown) => (v === Infinity || v === -Infinity ? "huge" : v)),
            ).includes("huge");
          } catch {
            valid = false;
          }
          if (valid) parse(broken);
          else assert.throws(() => parse(broken), { name: "BodySyntaxError" });
        },
      ),
      { numRuns: 500 },
    );
  });

  it("refuses numbers that nothing can hold, wherever they stand", () => {
    const why = "json: cannot unmarshal number -1e400 into Go value of type float64";
    assert.throws(() => parse('{"a":"1e999","b":[1,{"c":-1e400}]}'), { name: "BodySyntaxError", message: why });
    assert.throws(() => parse("9".repeat(400)), { name: "BodySyntaxError" });
  });

  it("reads half a surrogate pair as U+FFFD, and whole pairs as they are", () => {
    const text = String.raw`{"a\ud800":"x\ud83d\ude00\udfff\\ud800"}`;
    assert.deepEqual(parse(text).value, { "a\ufffd": "x\u{1f600}\ufffd\\ud800" });
  });
});
