import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { madeAnswer, madeAround, madeCall, textOf } from "../../filters/testing/made-call.ts";
import type { CallParts } from "../../filters/testing/made-call.ts";
import { CallAborted } from "../../pipeline/call-aborted.ts";
import { aggregateAction } from "./aggregate.ts";
import type { AskTarget } from "./aggregate.ts";
import type { AggregateSpec, AggregateTarget } from "./aggregate-spec.ts";

const target = (name: string, more: Partial<AggregateTarget> = {}): AggregateTarget => ({
  name,
  destination: { host: name, port: 80 },
  ...more,
});

async function asked(spec: AggregateSpec, ask: AskTarget, parts: CallParts = {}) {
  const around = madeAround();
  const answer = await aggregateAction(spec, { ...around, ask })(madeCall(parts));
  const { status, fields } = answer;
  return {
    status,
    share: fields.get("x-aggregate"),
    type: fields.get("content-type"),
    text: await textOf(answer.body),
    around,
  };
}

/** Targets that answer what is given under their names; a number is a status, nothing at all is a failure. */
function answering(given: Readonly<Record<string, string | number>>, type = "application/json"): AskTarget {
  return ({ name }) => {
    const body = given[name];
    if (body === undefined) throw new Error("no connection");
    return typeof body === "number" ? madeAnswer("", {}, body) : madeAnswer(body, { "content-type": type });
  };
}

const A_AND_B = { enabled: true, targets: [target("a"), target("b")] };

const MERGES: readonly [title: string, merge: AggregateSpec["merge"], a: string, b: string, expected: string][] = [
  ["without merging each answer stands under its name", undefined, '{"x":1.0}', "[2]", '{"a":{"x":1.0},"b":[2]}'],
  [
    "deep: objects into each other, arrays one after the other",
    {},
    '{"x":{"y":1,"l":[1]}}',
    '{"x":{"z":2,"l":[2]}}',
    '{"x":{"y":1,"l":[1,2],"z":2}}',
  ],
  ["deep: whole arrays", {}, "[1]", "[2]", "[1,2]"],
  ["shallow: top fields", { strategy: "shallow" }, '{"x":{"y":1},"a":1}', '{"x":{"z":2}}', '{"x":{"z":2},"a":1}'],
  ["replace: the last one", { strategy: "replace" }, '{"x":1}', '{"y":2}', '{"y":2}'],
  [
    "items with the same key are one",
    { keyField: "id" },
    '[{"id":1,"a":1},{"id":2}]',
    '[{"id":1,"b":2},{"no":1}]',
    '[{"id":1,"a":1,"b":2},{"id":2},{"no":1}]',
  ],
  [
    "items are ordered by time and limited",
    { timeField: "t", limit: 2 },
    '{"l":[{"t":"c"},{"t":"a"}]}',
    '{"l":[{"t":"b"}]}',
    '{"l":[{"t":"a"},{"t":"b"}]}',
  ],
  [
    "keys named like the prototype are keys",
    {},
    '{"__proto__":{"a":1}}',
    '{"__proto__":{"b":2}}',
    '{"__proto__":{"a":1,"b":2}}',
  ],
];
for (const [title, merge, a, b, expected] of MERGES)
  test(title, async () => {
    const spec = merge === undefined ? A_AND_B : { ...A_AND_B, merge: { enabled: true, ...merge } };
    const { status, text, share, around } = await asked(spec, answering({ a, b }));
    assert.deepEqual([status, text, share], [200, expected, "2/2"]);
    assert.deepEqual(around.notes, []);
    assert.equal(around.clock.pending, 0);
  });

test("lines are merged as lines", async () => {
  const spec = { ...A_AND_B, merge: { enabled: true, strategy: "ndjson", timeField: "t", keyField: "id" } };
  const { text, type } = await asked(spec, ({ name }) =>
    name === "a"
      ? madeAnswer('{"t":2,"id":1}\n{"t":1,"id":2}\n', { "content-type": "application/x-ndjson" })
      : madeAnswer('[{"t":0,"id":3},{"t":2,"id":1}]', { "content-type": "application/json" }),
  );
  assert.deepEqual([text, type], ['{"t":0,"id":3}\n{"t":1,"id":2}\n{"t":2,"id":1}\n', "application/x-ndjson"]);
});

const THREE = { enabled: true, targets: [target("a"), target("b"), target("c")] };
const FAILURES: readonly [
  title: string,
  spec: AggregateSpec,
  given: Record<string, string | number>,
  status: number,
][] = [
  ["all: one that fails is too many", THREE, { a: "1", b: "2" }, 502],
  ["all: an error is no answer", THREE, { a: "1", b: "2", c: 404 }, 502],
  ["any: one is enough", { ...THREE, failMode: "any" }, { b: "2" }, 200],
  ["any: none is too few", { ...THREE, failMode: "any" }, {}, 502],
  ["quorum: more than half", { ...THREE, failMode: "quorum" }, { a: "1", c: "3" }, 200],
  ["quorum: half is too few", { ...THREE, failMode: "quorum" }, { a: "1", c: 500 }, 502],
  ["quorum: as many as are said", { ...THREE, failMode: "quorum", quorumCount: 1 }, { a: "1" }, 200],
  ["what is not JSON cannot be merged", { ...THREE, failMode: "any" }, { a: "<html>" }, 502],
];
for (const [title, spec, given, status] of FAILURES)
  test(title, async () => {
    const got = await asked(spec, answering(given));
    assert.equal(got.status, status);
    assert.equal(got.around.clock.pending, 0);
  });

test("every target gets the whole request, as its own", async () => {
  const { text } = await asked(
    A_AND_B,
    async ({ name }, call) => {
      call.head.fields.set("x-a", name);
      return madeAnswer(JSON.stringify([await textOf(call.body), call.head.fields.all("x-a"), call.head.method]));
    },
    { method: "POST", body: "hello" },
  );
  assert.equal(text, '{"a":["hello",["a"],"POST"],"b":["hello",["b"],"POST"]}');
});

test("HEAD has the length of what GET would get", async () => {
  const around = madeAround();
  const ask: AskTarget = (_target, call) => madeAnswer(call.head.method === "GET" ? "1" : undefined);
  const answer = await aggregateAction(A_AND_B, { ...around, ask })(madeCall({ method: "HEAD" }));
  assert.equal(answer.body?.length, '{"a":1,"b":1}'.length);
});

test("a request that is too large is refused", async () => {
  assert.equal(
    (await asked(A_AND_B, answering({}), { method: "POST", body: Buffer.alloc(5 * 1024 * 1024) })).status,
    413,
  );
});

test("targets are asked again as often as they say, unless the method may not be repeated", async () => {
  const spec = { enabled: true, targets: [target("a", { retries: 2 })] };
  let count = 0;
  const flaky: AskTarget = () => {
    count++;
    if (count === 1) throw new Error("reset");
    return madeAnswer("1", {}, count === 2 ? 503 : 200);
  };
  assert.deepEqual([(await asked(spec, flaky)).status, count], [200, 3]);
  count = 0;
  assert.deepEqual([(await asked(spec, flaky, { method: "POST" })).status, count], [502, 1]);
});

test("only so many are asked at the same time", async () => {
  let now = 0;
  let most = 0;
  await asked({ ...THREE, maxParallel: 2 }, async () => {
    most = Math.max(most, ++now);
    await nextTurn();
    now--;
    return madeAnswer("1");
  });
  assert.equal(most, 2);
});

test("a target that takes too long is told, and asked again", async () => {
  const around = madeAround();
  const told: string[] = [];
  const act = aggregateAction(
    { enabled: true, targets: [target("a", { timeout: "1s", retries: 1 })] },
    {
      ...around,
      ask: (_target, call) => {
        call.onAbort((reason) => told.push(reason.message));
        return told.length === 0 ? new Promise<Answer>(() => {}) : madeAnswer("1");
      },
    },
  );
  const answering = act(madeCall());
  await nextTurn();
  around.clock.advance(1000);
  assert.equal((await answering).status, 200);
  assert.deepEqual(told, ["the call took too long"]);
  assert.equal(around.clock.pending, 0);
});

test("a client that leaves ends all questions", async () => {
  const around = madeAround();
  let told = 0;
  const ask: AskTarget = (_target, call) => {
    call.onAbort(() => told++);
    return new Promise<Answer>(() => {});
  };
  const call = madeCall();
  const answering = aggregateAction(
    { ...THREE, targets: THREE.targets.map((one) => ({ ...one, retries: 3 })) },
    { ...around, ask },
  )(call);
  await nextTurn();
  call.abort(new CallAborted("client_gone"));
  assert.equal((await answering).status, 502);
  assert.equal(told, 3);
  assert.equal(around.clock.pending, 0);
});

test("the others are not waited for once too many failed", async () => {
  let told = false;
  const got = await asked(A_AND_B, ({ name }, call) => {
    if (name === "a") throw new Error("no connection");
    call.onAbort(() => (told = true));
    return new Promise<Answer>(() => {});
  });
  assert.deepEqual([got.status, told], [502, true]);
});

test("a target without time, or with none, has half a minute", async () => {
  const around = madeAround();
  const spec = { enabled: true, targets: [target("a"), target("b", { timeout: "0s" })] };
  const gone: string[] = [];
  const ask: AskTarget = ({ name }, call) => {
    call.onAbort(() => gone.push(name));
    return new Promise<Answer>(() => {});
  };
  const answer = aggregateAction(spec, { ...around, ask })(madeCall());
  await nextTurn();
  around.clock.advance(29_999);
  assert.deepEqual(gone, []);
  around.clock.advance(1);
  assert.deepEqual(gone, ["a", "b"]);
  assert.equal((await answer).status, 502);
});

test("what has no effect is told", () => {
  const around = madeAround();
  aggregateAction(
    {
      ...THREE,
      perMessageMerge: true,
      spool: { enabled: true, backend: "redis" },
      failMode: "most",
      merge: { enabled: true, keyField: "a..b" },
    },
    { ...around, ask: () => madeAnswer() },
  );
  assert.deepEqual(
    around.notes.map(({ severity, field }) => `${severity} ${field}`),
    [
      "error spec.aggregate.merge.keyField",
      "error spec.aggregate.failMode",
      "warning spec.aggregate.perMessageMerge",
      "warning spec.aggregate.spool.backend",
    ],
  );
});
