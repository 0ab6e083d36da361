import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentError, KnownDocuments } from "./documents.ts";

const { signal } = new AbortController();
const read = async (text: string): Promise<unknown[]> =>
  (await new KnownDocuments().read(text, signal)).map(({ line, value }) => [line, value]);

test("documents are parted by lines of three dashes, whatever ends the lines", async () => {
  assert.deepEqual(await read('a: 1\n---\nb: 2\n--- # more\n\n---\n{"c": 3}\n---'), [
    [1, { a: 1 }],
    [3, { b: 2 }],
    [7, { c: 3 }],
  ]);
  assert.deepEqual(await read("---\r\na: 1\r\n---\r\nb: x---y\r\n"), [
    [2, { a: 1 }],
    [4, { b: "x---y" }],
  ]);
  assert.deepEqual(await read("a: |\n  ---\n  text\n"), [[1, { a: "---\ntext\n" }]]);
  assert.deepEqual(await read("\n# nothing\n---\n"), []);
});

test("what cannot be read is told with the line of its document", async () => {
  await assert.rejects(read("a: 1\n---\nb: [\n"), (error) => error instanceof DocumentError && error.line === 3);
});

test("documents that did not change are the same values", async () => {
  const known = new KnownDocuments();
  const [a, b] = await known.read("a: {}\n---\nb: {}\n", signal);
  const [again, other] = await known.read("a: {}\n---\nb: { c: 1 }\n", signal);
  assert.equal(again?.value, a?.value);
  assert.notEqual(other?.value, b?.value);
  await assert.rejects(known.read("a: [", signal));
  assert.equal((await known.read("a: {}\n---\n", signal))[0]?.value, a?.value);
});

test("keys that stand twice are told", async () => {
  const [document] = await new KnownDocuments().read("a: 1\na: 2\n", signal);
  assert.match(String(document?.warnings), /key "a" already set/);
});
