import assert from "node:assert/strict";
import { test } from "node:test";
import { MalformedError } from "../malformed-error.ts";
import { parseXml } from "./parse-xml.ts";

test("elements, attributes, text, character data and references are read; prefixes are dropped", () => {
  const root = parseXml(
    '\ufeff<?xml version="1.0"?><!-- c --><a:Root xmlns:a="u" kind=\'x\'><A>1 &lt; 2 &#65;&#x42;</A><B/><A><![CDATA[<raw>]]></A></a:Root>',
  );
  assert.equal(root.name, "Root");
  assert.equal(root.attributes.get("kind"), "x");
  assert.deepEqual(
    root.children.map(({ name, text }) => [name, text]),
    [
      ["A", "1 < 2 AB"],
      ["B", ""],
      ["A", "<raw>"],
    ],
  );
});

test("what is not well formed is refused", () => {
  for (const text of [
    "",
    "   ",
    "text",
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a/>text",
    "</a>",
    "<a b></a>",
    "<a b=c/>",
    "<a>&unknown;</a>",
    "<a>& b</a>",
    "<a>&#0;</a>",
    "<a><!-- </a>",
    "<",
    "<1 <",
  ]) {
    assert.throws(() => parseXml(text), MalformedError, text);
  }
});

test("document types are refused, so no entity can grow or load anything", () => {
  assert.throws(() => parseXml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'), /document types/);
});

test("nesting is bounded", () => {
  assert.throws(() => parseXml("<a>".repeat(100_000)), /nested deeper/);
});
