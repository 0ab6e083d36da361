import assert from "node:assert/strict";
import { test } from "node:test";
import { Coming, whenSettled } from "./coming.ts";
import type { Waiting } from "./coming.ts";

function listening(): Waiting<number> & { readonly heard: unknown[] } {
  const heard: unknown[] = [];
  return { heard, came: (value) => void heard.push(value), failed: (error) => void heard.push(error) };
}

test("who waits is told within the call that settles it, and nothing later", () => {
  const coming = new Coming<number>();
  const first = listening();
  const second = listening();
  whenSettled(coming, first);
  coming.tell(second);
  coming.came(1);
  coming.came(2);
  coming.failed(new Error("too late"));
  assert.deepEqual([first.heard, second.heard], [[1], [1]]);
});

test("who comes when it is known is told at once, of a failure too", () => {
  const coming = new Coming<number>();
  const error = new Error("no");
  coming.failed(error);
  const late = listening();
  coming.tell(late);
  assert.deepEqual(late.heard, [error]);
});

test("to everybody else it is a promise, beside those who are told at once", async () => {
  const coming = new Coming<number>();
  const told = listening();
  coming.tell(told);
  const later = coming.then((value) => value + 1);
  coming.came(1);
  assert.deepEqual([told.heard, await later, await coming], [[1], 2, 1]);
  const failed = new Coming<number>();
  failed.failed(new Error("no"));
  await assert.rejects(failed, /no/);
  assert.equal(await failed.catch(() => 3), 3);
});

test("an ordinary promise is waited for the ordinary way", async () => {
  const told = listening();
  const failing = listening();
  whenSettled(Promise.resolve(1), told);
  whenSettled(Promise.reject(new Error("no")), failing);
  assert.deepEqual(told.heard, []);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([told.heard, failing.heard.map(String)], [[1], ["Error: no"]]);
});
