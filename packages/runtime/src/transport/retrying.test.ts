import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { retrying } from "./retrying.ts";
import { TransportError } from "./transport-error.ts";
import type { TransportErrorCode } from "./transport-error.ts";
import type { TransportRequest } from "./transport.ts";

type Step = { readonly status: number; readonly retryAfter?: string } | TransportErrorCode;

/** Sends one request through scripted answers; gives the moments at which requests left, and how it ended. */
async function run(
  method: string,
  steps: readonly Step[],
  options: { readonly attempts?: number; readonly abortAt?: number } = {},
): Promise<{ readonly sentAt: readonly number[]; readonly end: number | string }> {
  const clock = new ManualClock();
  const sentAt: number[] = [];
  const controller = new AbortController();
  const transport = retrying(
    async () => {
      const step = steps[Math.min(sentAt.length, steps.length - 1)]!;
      sentAt.push(clock.monotonic());
      if (typeof step === "string") throw new TransportError(step, step);
      const headers = step.retryAfter === undefined ? {} : { "retry-after": step.retryAfter };
      return { status: step.status, headers, body: (async function* () {})() };
    },
    { clock, random: seededRandom(), ...(options.attempts !== undefined && { attempts: options.attempts }) },
  );
  const request: TransportRequest = { method, path: "/", signal: controller.signal };
  let end: number | string | undefined;
  void transport(request).then(
    (response) => (end = response.status),
    (error: Error) => (end = error.message),
  );
  for (let i = 0; end === undefined; i++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (options.abortAt !== undefined && clock.monotonic() >= options.abortAt) controller.abort(new Error("stop"));
    else clock.advance(50);
    assert.ok(i < 20_000, "it never ends");
  }
  await new Promise<void>((resolve) => setImmediate(resolve));
  assert.equal(clock.pending, 0);
  return { sentAt, end };
}

test("a server that asks for time gets it, and one request each time it asks", async () => {
  const { sentAt, end } = await run("POST", [
    { status: 429, retryAfter: "2" },
    { status: 503, retryAfter: "3" },
    { status: 201 },
  ]);
  assert.equal(end, 201);
  assert.ok(sentAt[1]! >= 2000 && sentAt[1]! < 2300);
  assert.ok(sentAt[2]! - sentAt[1]! >= 3000);
});

test("a server that is busy and does not say how long is read again after a second, then after more", async () => {
  const { sentAt, end } = await run("GET", [{ status: 503 }, { status: 503 }, { status: 503 }, { status: 200 }]);
  assert.equal(end, 200);
  const waits = sentAt.slice(1).map((at, index) => at - sentAt[index]!);
  assert.ok(waits[0]! >= 1000 && waits[1]! >= 2000 && waits[2]! >= 4000, String(waits));
});

const writesOnce: readonly Step[] = [
  { status: 503 },
  { status: 429 },
  { status: 500, retryAfter: "1" },
  "cut",
  "timeout",
];
for (const step of writesOnce) {
  test(`a write that may have been done is not sent again: ${JSON.stringify(step)}`, async () => {
    assert.equal((await run("PATCH", [step, { status: 200 }])).sentAt.length, 1);
  });
}

test("a write that was refused a connection is sent again", async () => {
  const { sentAt, end } = await run("POST", ["refused", { status: 201 }]);
  assert.deepEqual([sentAt.length, end], [2, 201]);
});

test("a read survives cut connections, and faults that come with Retry-After", async () => {
  assert.equal((await run("GET", ["cut", "timeout", { status: 200 }])).end, 200);
  assert.equal((await run("GET", [{ status: 504, retryAfter: "1" }, { status: 200 }])).end, 200);
  assert.equal((await run("GET", [{ status: 500 }, { status: 200 }])).end, 500);
});

test("what a repetition cannot mend, or does not mend, is given as it is", async () => {
  for (const code of ["tls", "credentials", "malformed"] as const) {
    assert.deepEqual(await run("GET", [code]), { sentAt: [0], end: code });
  }
  assert.equal((await run("GET", ["refused"])).sentAt.length, 3);
  const busy = await run("GET", [{ status: 429, retryAfter: "1" }], { attempts: 4 });
  assert.deepEqual([busy.sentAt.length, busy.end], [4, 429]);
  const long = await run("GET", [{ status: 429, retryAfter: "3600" }]);
  assert.deepEqual([long.sentAt.length, long.end], [1, 429]);
});

test("waiting ends as soon as the signal aborts", async () => {
  const { sentAt, end } = await run("GET", [{ status: 429, retryAfter: "20" }], { abortAt: 500 });
  assert.deepEqual([sentAt.length, end], [1, "stop"]);
});
