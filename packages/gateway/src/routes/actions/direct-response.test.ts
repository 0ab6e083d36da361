import assert from "node:assert/strict";
import { test } from "node:test";
import { madeAround, textOf } from "../../filters/testing/made-call.ts";
import { directResponseAction } from "./direct-response.ts";

test("status, body and fields are as given, each time anew", async () => {
  const act = directResponseAction(
    { status: 418, body: "{}", headers: { "Content-Type": "application/json" } },
    madeAround(),
  );
  act().fields.set("content-type", "changed by a filter");
  const answer = act();
  assert.equal(answer.status, 418);
  assert.equal(answer.fields.get("content-type"), "application/json");
  assert.equal(await textOf(answer.body), "{}");
});

test("a body is plain text unless something else is said", () => {
  const answer = directResponseAction({ status: 200, body: "hello" }, madeAround())();
  assert.equal(answer.fields.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(answer.body?.length, 5);
});

test("an answer that has no body loses it, and the author is told", () => {
  const around = madeAround();
  const answer = directResponseAction({ status: 204, body: "x" }, around)();
  assert.equal(answer.body, undefined);
  assert.equal(around.notes[0]?.severity, "warning");
});

test("a status that ends nothing is an error", () => {
  const around = madeAround();
  directResponseAction({ status: 101 }, around);
  assert.equal(around.notes[0]?.severity, "error");
});

test("framing cannot be given", () => {
  const around = madeAround();
  const answer = directResponseAction({ status: 200, headers: { "Content-Length": "7" } }, around)();
  assert.equal(answer.fields.has("content-length"), false);
  assert.equal(around.notes[0]?.field, "spec.directResponse.headers");
});
