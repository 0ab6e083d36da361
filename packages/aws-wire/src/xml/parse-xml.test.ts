import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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

test("who keeps an id does not keep the document that it came in", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const ids = Array.from({ length: 40 }, (_, at) => {
    const id = `arn:aws:sns:eu-west-1:123456789012:topic-${at}`;
    const document = `<Answer><Id>${id}</Id><Rest>${"x".repeat(1 << 20)}</Rest></Answer>`;
    return parseXml(document).children[0]?.text;
  });
  const grown = used() - before;
  assert.ok(ids[39]?.endsWith("topic-39"));
  assert.ok(grown < 8 << 20, `${grown} bytes are kept for 40 ids`);
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
