import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json } from "@gatewright/kube";
import { readXml } from "./xml-reader.ts";
import { writeXml } from "./xml-writer.ts";

const READ: readonly [xml: string, value: Json][] = [
  ["<a/>", ""],
  ["<?xml version='1.0'?>\n<!-- c --><a>x</a>\n", "x"],
  ["<a><b>1</b><b>2</b><b/></a>", { b: ["1", "2", ""] }],
  ["<a x='1' y:z=\"&lt;\">t<b/></a>", { "@x": "1", "@y:z": "<", b: "", "#text": "t" }],
  ["<a>&#65;&#x1F600;&apos;<![CDATA[<&]]></a>", "A😀'<&"],
  ["<a><__proto__><admin>1</admin></__proto__></a>", JSON.parse('{"__proto__":{"admin":"1"}}') as Json],
];
for (const [xml, value] of READ)
  test(`${xml} is read`, () => {
    const got = readXml(xml);
    assert.equal(JSON.stringify(got), JSON.stringify(value));
    assert.equal(({} as Record<string, unknown>)["admin"], undefined);
  });

for (const xml of [
  "",
  "text",
  "<a>",
  "<a></b>",
  "</a>",
  "<a/><b/>",
  "<a b></a>",
  "<a b='1' b='2'/>",
  "<a b='<'/>",
  "<a b='1'c='2'/>",
  "<1/>",
  "<a>&nbsp;</a>",
  "<a>&</a>",
  "<a>&#0;</a>",
  "<a>&#xD800;</a>",
  "<a>&#x110000;</a>",
  "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
  "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
  "<a><!-- </a>",
  `${"<a>".repeat(200)}${"</a>".repeat(200)}`,
])
  test(`${xml.slice(0, 50)} is refused`, () => {
    assert.throws(() => readXml(xml), { name: "BodySyntaxError" });
  });

test("whatever is written can be read, and text survives", () => {
  const text = fc.string({ unit: "grapheme" });
  const value = fc.dictionary(
    fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/),
    fc.oneof(
      text.filter((t) => t !== ""),
      fc.array(text, { minLength: 2, maxLength: 3 }),
    ),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(value, (given) => {
      assert.deepEqual({ ...(readXml(writeXml(given as Json)) as object) }, { ...given });
    }),
  );
  fc.assert(fc.property(fc.jsonValue(), (given) => void readXml(writeXml(given as Json))));
});

test("nothing that is not XML does anything but be refused", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "b",
      " ",
      "=",
      "'",
      '"',
      "&",
      ";",
      "#",
      "!",
      "-",
      "[",
      "]",
      "?",
      "CDATA",
      "amp",
    ),
  });
  fc.assert(
    fc.property(text, (given) => {
      try {
        readXml(given);
      } catch (error) {
        assert.equal((error as Error).name, "BodySyntaxError");
      }
    }),
    { numRuns: 500 },
  );
});
