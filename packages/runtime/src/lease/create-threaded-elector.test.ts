import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { nextTurn, processClock } from "@gatewright/ports";
import { createThreadedElector } from "./create-threaded-elector.ts";
import { NotLeadingError } from "./write-gate.ts";

const times = { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 100 };
const lease = { namespace: "default", name: "threaded", ...times };

async function withServer(
  use: (
    config: { server: string; namespace: string; origin: string },
    stops: { readonly a: AbortController; readonly b: AbortController },
  ) => Promise<void>,
): Promise<void> {
  const worker = new Worker(new URL("./testing/served-api.ts", import.meta.url), { execArgv: [] });
  const [server] = (await once(worker, "message")) as [string];
  const stops = { a: new AbortController(), b: new AbortController() };
  try {
    await use({ server, namespace: "default", origin: "test" }, stops);
  } finally {
    // A test that fails leaves no thread that would keep the process.
    stops.a.abort();
    stops.b.abort();
    await worker.terminate();
  }
}

test("the lease is kept while the main thread is blocked for longer than it lasts, and given up at the end", async () => {
  await withServer(async (transport, { a: stopA, b: stopB }) => {
    // Long enough for a busy machine: the renewing thread shares it with the blocked one.
    const patient = { ...lease, durationMs: 6_000, renewDeadlineMs: 5_000 };
    const a = createThreadedElector({ ...patient, identity: "a" }, { transport });
    const runA = a.run(stopA.signal);
    const leading = await a.whenLeading(stopA.signal);
    const b = createThreadedElector({ ...patient, identity: "b" }, { transport });
    const runB = b.run(stopB.signal);

    const begun = a.validUntil();
    while (a.validUntil() < begun + patient.durationMs) a.check(); // nothing else runs on this thread meanwhile
    assert.equal(leading.aborted, false);

    stopA.abort();
    await runA;
    assert.equal(leading.aborted, true);
    assert.throws(() => a.check(), NotLeadingError);
    await b.whenLeading(stopB.signal);
    while (b.epoch === 0) await nextTurn(); // who holds it is told by message, whether we do by memory: the latter is faster
    assert.deepEqual([b.holder, b.epoch], ["b", 1]);
    stopB.abort();
    await runB;
  });
});

test("a main thread that hangs for too long loses the lease though its renewing thread is well, and can lead again", async () => {
  await withServer(async (transport, { a: stop }) => {
    const elector = createThreadedElector({ ...lease, name: "hung", identity: "a" }, { transport, stallMs: 400 });
    const run = elector.run(stop.signal);
    const leading = await elector.whenLeading(stop.signal);
    while (elector.validUntil() > processClock.monotonic()); // ends only because the lease does
    assert.throws(() => elector.check(), NotLeadingError);
    await new Promise<void>((resolve) => leading.addEventListener("abort", () => resolve(), { once: true }));
    await elector.whenLeading(stop.signal);
    stop.abort();
    await run;
  });
});
