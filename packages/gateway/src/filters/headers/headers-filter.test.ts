import assert from "node:assert/strict";
import { test } from "node:test";
import { madeAnswer, madeAround, madeCall } from "../testing/made-call.ts";
import { headersFilter } from "./headers-filter.ts";

test("fields are removed, set and added, in this order, whatever their letters", async () => {
  const around = madeAround();
  const filter = headersFilter(
    { request: { set: { "X-Set": "new" }, add: { "X-ADDED": "b" }, remove: ["X-Gone", "x-added"] } },
    around,
  );
  const call = madeCall({ fields: { "x-set": "old", "x-added": "a", "x-gone": "1", "x-stays": "1" } });
  assert.equal(filter?.request?.(call), undefined);
  assert.deepEqual(
    [...call.head.fields],
    [
      ["x-set", "new"],
      ["x-stays", "1"],
      ["x-added", "b"],
    ],
  );
  assert.equal("response" in (filter ?? {}), false);
  assert.deepEqual(around.notes, []);
});

test("an answer's fields are changed too", async () => {
  const filter = headersFilter({ response: { set: { Server: "gateway" } } }, madeAround());
  const answer = await filter?.response?.(madeCall(), madeAnswer("", { server: "backend" }));
  assert.equal(answer?.fields.get("server"), "gateway");
});

test("without changes there is no filter", () => {
  assert.equal(headersFilter({ request: {}, response: { remove: [] } }, madeAround()), undefined);
});

for (const name of ["Connection", "transfer-encoding", "Content-Length", "Host", "TE", "Upgrade", "x y", ":path", ""])
  test(`${JSON.stringify(name)} cannot be set`, () => {
    const around = madeAround();
    assert.equal(headersFilter({ request: { set: { [name]: "x" } } }, around), undefined);
    assert.equal(around.notes[0]?.severity, "error");
    assert.equal(around.notes[0]?.field, "spec.headers.request.set");
  });

for (const value of ["a\r\nb: c", "a\nb", "a\0", "snow \u2603"])
  test(`the value ${JSON.stringify(value)} cannot be sent`, () => {
    const around = madeAround();
    headersFilter({ response: { add: { "x-a": value } } }, around);
    assert.deepEqual(
      around.notes.map(({ severity, field }) => [severity, field]),
      [["error", "spec.headers.response.add"]],
    );
  });

test("a name that stands twice in different letters is an error", () => {
  const around = madeAround();
  headersFilter({ request: { set: { "X-A": "1", "x-a": "2" } } }, around);
  assert.match(around.notes[0]?.message ?? "", /twice/);
});

test("removing what ends at the gateway anyway is a warning", () => {
  const around = madeAround();
  headersFilter({ request: { remove: ["Connection"] } }, around);
  assert.equal(around.notes[0]?.severity, "warning");
});
