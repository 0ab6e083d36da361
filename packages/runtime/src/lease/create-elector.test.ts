import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import type { Transport } from "../transport/transport.ts";
import { createElector } from "./create-elector.ts";
import { NotLeadingError } from "./write-gate.ts";

interface LeaseJson {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly holderIdentity: string;
    readonly renewTime: string;
    readonly leaseDurationSeconds: number;
    readonly leaseTransitions: number;
  };
}

const lease = { namespace: "default", name: "sample" };
const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/sample";

async function json(transport: Transport, method: string, body?: unknown): Promise<LeaseJson> {
  const response = await transport({
    method,
    path,
    headers: { "content-type": "application/merge-patch+json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  let text = "";
  for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  return JSON.parse(text);
}

/** Lets what has begun go on, without letting time pass. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500);
    await settle();
  }
}

async function world(): Promise<{ clock: ManualClock; transport: Transport; close: () => Promise<void> }> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  return { clock, transport: server.transport(), close: () => server.close() };
}

test("the first process leads and renews, the second follows and takes over as soon as the first gives up", async () => {
  const { clock, transport, close } = await world();
  const stopA = new AbortController();
  const stopB = new AbortController();
  const a = createElector({ ...lease, identity: "a" }, { transport, clock, random: seededRandom(2) });
  const b = createElector({ ...lease, identity: "b" }, { transport, clock, random: seededRandom(3) });
  const runA = a.run(stopA.signal);
  const leadingA = await a.whenLeading(stopA.signal);
  const runB = b.run(stopB.signal);
  await pass(clock, 60_000);
  a.check();
  assert.throws(() => b.check(), NotLeadingError);
  assert.deepEqual([a.holder, b.holder, leadingA.aborted], ["a", "a", false]);
  const held = await json(transport, "GET");
  assert.match(held.spec.renewTime, /^2030-01-01T00:0\d:\d\d\.\d{6}Z$/);
  assert.deepEqual([held.spec.leaseDurationSeconds, held.spec.leaseTransitions], [15, 0]);

  stopA.abort();
  await runA;
  assert.equal(leadingA.aborted, true);
  assert.throws(() => a.check(), NotLeadingError);
  await pass(clock, 5_000);
  b.check();
  assert.deepEqual([b.holder, b.epoch], ["b", 1]);
  stopB.abort();
  await runB;
  assert.equal((await json(transport, "GET")).spec.holderIdentity, "");
  await close();
});

test("a holder that cannot reach the server stops being valid by itself, and leads again when it can", async () => {
  const { clock, transport, close } = await world();
  const stop = new AbortController();
  let down = false;
  const flaky: Transport = (request) => (down ? new Promise(() => {}) : transport(request));
  const elector = createElector({ ...lease, identity: "a" }, { transport: flaky, clock, random: seededRandom(2) });
  const run = elector.run(stop.signal);
  const leading = await elector.whenLeading(stop.signal);
  down = true;
  await pass(clock, 12_000);
  assert.equal(leading.aborted, true);
  assert.throws(() => elector.check(), NotLeadingError);
  down = false;
  await pass(clock, 12_000);
  assert.equal((await elector.whenLeading(stop.signal)).aborted, false);
  elector.check();
  stop.abort();
  await run;
  await close();
});

test("a lease that is edited or deleted by hand has one holder again, and labels that others put on it stay", async () => {
  const { clock, transport, close } = await world();
  const stop = new AbortController();
  const elector = createElector({ ...lease, identity: "a" }, { transport, clock, random: seededRandom(2) });
  const run = elector.run(stop.signal);
  const leading = await elector.whenLeading(stop.signal);
  await json(transport, "PATCH", { metadata: { labels: { team: "edge" } } });
  await pass(clock, 4_000);
  assert.equal(leading.aborted, false);
  assert.equal((await json(transport, "GET")).metadata.labels?.["team"], "edge");

  await json(transport, "PATCH", { spec: { holderIdentity: "somebody" } });
  await pass(clock, 3_000);
  assert.equal(leading.aborted, true);
  assert.equal(elector.holder, "somebody");
  await pass(clock, 20_000);
  elector.check();

  await json(transport, "DELETE");
  await pass(clock, 10_000);
  elector.check();
  assert.equal((await json(transport, "GET")).spec.holderIdentity, "a");
  stop.abort();
  await run;
  await close();
});

test("times that cannot work are refused with the reason", () => {
  const dependencies = {
    transport: () => Promise.reject(new Error("unused")),
    clock: new ManualClock(),
    random: seededRandom(1),
  };
  const make = (options: object) => () => createElector({ ...lease, identity: "a", ...options }, dependencies);
  assert.throws(make({ durationMs: 10_000 }), /durationMs \(10000\) must be above its renewDeadlineMs/);
  assert.throws(make({ retryMs: 9_000 }), /must be above 1.2 × retryMs/);
  assert.throws(make({ identity: "" }), /identity must not be empty/);
});

test("a server that is away is told once, and so is the loss of the lease", async () => {
  const { clock, transport, close } = await world();
  const stop = new AbortController();
  const told: string[] = [];
  const log = { ...quietLog, warn: (message: string) => void told.push(message) };
  let away = false;
  const sometimes: Transport = (request) =>
    away ? Promise.reject(new Error("connection refused")) : transport(request);
  const elector = createElector(
    { ...lease, identity: "a" },
    { transport: sometimes, clock, random: seededRandom(3), log },
  );
  const run = elector.run(stop.signal);
  await elector.whenLeading(stop.signal);
  away = true;
  await pass(clock, 60_000);
  assert.deepEqual(told, ["Lease request failed", "Lease lost: this process writes nothing until it has it again"]);
  away = false;
  await pass(clock, 20_000);
  elector.check();
  assert.equal(told.length, 2);
  stop.abort();
  await run;
  await close();
});
