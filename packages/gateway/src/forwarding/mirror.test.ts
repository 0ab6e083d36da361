import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import { collect } from "../exchange/bodies.ts";
import { madeAnswer, madeAround, madeCall, textOf } from "../filters/testing/made-call.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import { copiedBody } from "./copied-body.ts";
import { forwardAction } from "./forward-action.ts";
import { FlowingBody } from "./testing/flowing-body.ts";
import { MadeBackend } from "./testing/made-backend.ts";

function world(percentage = 100) {
  const around = madeAround();
  const backend = new MadeBackend();
  const mirror = new MadeBackend("Backend default/mirror");
  backend.upstreams.onSend = (sent) => sent.answer(madeAnswer("real"));
  return {
    around,
    backend,
    mirror,
    forward: forwardAction({ mirror: { percentage } }, [{ backend, weight: 1 }], around, mirror),
  };
}

test("a copy of a call goes elsewhere, body included, and its answer is dropped", async () => {
  const { forward, backend, mirror, around } = world();
  const body = new FlowingBody();
  const answer = forward(madeCall({ method: "POST", target: "/x?y", fields: { a: "b" }, body }));
  const [copy] = mirror.upstreams.sent;
  const got = [collect(backend.upstreams.sent[0]!.request.body!, 100), collect(copy!.request.body!, 100)];
  body.write("hello ");
  body.write("world");
  body.end();
  const texts = (await Promise.all(got)).map((read) => read !== "too-large" && read.bytes.toString());
  assert.deepEqual(texts, ["hello world", "hello world"]);
  assert.deepEqual([copy?.request.target, copy?.request.fields.get("a")], ["/x?y", "b"]);
  copy?.answer(madeAnswer("dropped", {}, 500));
  assert.equal(await textOf((await answer).body), "real");
  await nextTurn();
  assert.deepEqual(mirror.told[0]?.statuses, [500]);
  assert.equal(around.clock.pending, 0);
});

test("a copy that fails, is refused or never ends changes nothing for the call", async () => {
  const { forward, mirror, around } = world();
  mirror.upstreams.onSend = (sent) => sent.fail(new UpstreamError("connect", "test", true));
  assert.equal((await forward(madeCall())).status, 200);
  mirror.upstreams.onSend = undefined;
  assert.equal((await forward(madeCall())).status, 200);
  around.clock.advance(30_000);
  await nextTurn();
  assert.ok(mirror.upstreams.sent[1]?.cancelled);
  mirror.refusal = { refused: "no_healthy_endpoint", status: 503, message: "" };
  assert.equal((await forward(madeCall())).status, 200);
  assert.deepEqual(
    mirror.told.map(({ statuses }) => statuses),
    [[undefined], [undefined]],
  );
});

test("so many percent are copied", async () => {
  const { forward, mirror } = world(30);
  for (let at = 0; at < 1000; at++) await forward(madeCall());
  assert.ok(Math.abs(mirror.told.length - 300) < 60, String(mirror.told.length));
  const none = world(0);
  for (let at = 0; at < 100; at++) await none.forward(madeCall());
  assert.equal(none.mirror.told.length, 0);
});

test("a copy that falls too far behind breaks off, and the original flows on", () => {
  const body = new FlowingBody();
  const { first, copy } = copiedBody(body, 10);
  let read = "";
  let broken: Error | undefined;
  const sink = { write: () => true, end() {}, abort() {}, onDrain() {} };
  first.open({ ...sink, write: (chunk) => ((read += Buffer.from(chunk).toString()), true) });
  copy.open({ ...sink, write: () => false, abort: (error) => (broken = error) });
  for (const text of ["aaaa", "bbbb", "cccc", "dddd"]) body.write(text);
  assert.equal(read, "aaaabbbbccccdddd");
  assert.match(broken?.message ?? "", /behind/);
});
