import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { ManualClock, seededRandom, systemClock } from "@gatewright/ports";
import { createTracer } from "./create-tracer.ts";
import type { Post, PostRequest } from "./post.ts";
import { tracerFromEnvironment } from "./tracer-from-environment.ts";

const signal = new AbortController().signal;

interface SpanJson {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly unknown[];
}

function spansOf(body: string): readonly SpanJson[] {
  return JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

function collecting(answer: () => number = () => 200): { send: Post; requests: PostRequest[] } {
  const requests: PostRequest[] = [];
  const send: Post = async (request) => {
    requests.push(request);
    return { status: answer() };
  };
  return { send, requests };
}

test("spans reach a collector over HTTP with their parents, times, attributes and errors", async () => {
  const bodies: { url: string | undefined; key: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      bodies.push({ url: request.url, key: request.headers["x-key"], body });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
    OTEL_RESOURCE_ATTRIBUTES: "team=edge,broken",
    OTEL_SERVICE_NAME: "sample",
  };
  const tracer = tracerFromEnvironment(env, { serviceName: "default", clock: systemClock, random: seededRandom(3) });
  assert.ok(tracer !== undefined);
  const span = tracer.start("reconcile", { key: "a/b", failures: 2, deep: true });
  const child = span.child("apply");
  child.end(new Error("refused for Bearer abcdefgh"));
  span.set({ outcome: "retry" });
  span.end();
  span.end();
  assert.match(span.traceparent ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await tracer.flush(signal);
  server.close();
  assert.deepEqual([bodies.length, bodies[0]?.url, bodies[0]?.key], [1, "/v1/traces", "a b"]);
  const body = bodies[0]?.body ?? "";
  const [apply, reconcile] = spansOf(body);
  assert.deepEqual([apply?.parentSpanId, apply?.traceId], [reconcile?.spanId, reconcile?.traceId]);
  assert.deepEqual(apply?.status, { code: 2, message: "Error: refused for Bearer [redacted]" });
  assert.ok(BigInt(reconcile?.endTimeUnixNano ?? 0) >= BigInt(reconcile?.startTimeUnixNano ?? 0));
  assert.deepEqual(reconcile?.attributes.slice(0, 2), [
    { key: "key", value: { stringValue: "a/b" } },
    { key: "failures", value: { intValue: "2" } },
  ]);
  assert.deepEqual(JSON.parse(body).resourceSpans[0].resource.attributes, [
    { key: "team", value: { stringValue: "edge" } },
    { key: "service.name", value: { stringValue: "sample" } },
  ]);
});

test("spans leave in batches; what a full queue or a refusing collector costs is counted", async () => {
  const clock = new ManualClock();
  const { send, requests } = collecting();
  const tracer = createTracer({ endpoint: "http://c/", serviceName: "s", clock, random: seededRandom(4), send });
  tracer.start("one").end();
  tracer.start("two").end();
  assert.equal(requests.length, 0);
  clock.advance(5000);
  await settle();
  assert.deepEqual(
    requests.map(({ body }) => spansOf(body).length),
    [2],
  );
  for (let i = 0; i < 3000; i++) tracer.start("many").end();
  await tracer.flush(signal);
  const sent = requests.reduce((sum, { body }) => sum + spansOf(body).length, 0);
  assert.equal(sent + tracer.dropped, 3002);
  assert.ok(requests.every(({ body }) => spansOf(body).length <= 512));

  const refusing = collecting(() => 400);
  const refused = createTracer({
    endpoint: "http://c/",
    serviceName: "s",
    clock,
    random: seededRandom(4),
    send: refusing.send,
  });
  refused.start("lost").end();
  await refused.flush(signal);
  assert.deepEqual([refused.dropped, refusing.requests.length], [1, 1]);
});

test("a collector that is away is tried again with pauses, and given up after five times", async () => {
  const clock = new ManualClock();
  let status = 503;
  const { send, requests } = collecting(() => status);
  const tracer = createTracer({ endpoint: "http://c/", serviceName: "s", clock, random: seededRandom(4), send });
  tracer.start("late").end();
  clock.advance(5000);
  await settle();
  status = 200;
  clock.advance(1000);
  await settle();
  assert.deepEqual([requests.length, tracer.dropped], [2, 0]);
  status = 503;
  tracer.start("never").end();
  for (let i = 0; i < 60; i++) {
    clock.advance(1000);
    await settle();
  }
  assert.deepEqual([requests.length, tracer.dropped, clock.pending], [7, 1, 0]);
});

test("nothing is traced without a collector, when it is switched off, or beyond the ratio", async () => {
  const { send, requests } = collecting();
  const options = { serviceName: "s", clock: new ManualClock(), random: seededRandom(5), send };
  const endpoint = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c/x" };
  assert.equal(tracerFromEnvironment({}, options), undefined);
  assert.equal(tracerFromEnvironment({ ...endpoint, OTEL_SDK_DISABLED: "true" }, options), undefined);
  assert.equal(tracerFromEnvironment({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, options), undefined);
  assert.throws(
    () => tracerFromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, options),
    /must be an http/,
  );
  const off = tracerFromEnvironment({ ...endpoint, OTEL_TRACES_SAMPLER: "always_off" }, options);
  assert.equal(off?.start("x").traceparent, undefined);
  const sampler = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" };
  const some = tracerFromEnvironment({ ...endpoint, ...sampler }, options);
  const traced = Array.from({ length: 1000 }, () => some?.start("x").traceparent).filter((each) => each !== undefined);
  assert.ok(traced.length > 150 && traced.length < 350, `${traced.length} of 1000`);
  assert.equal(requests.length, 0);
});

test("a trace of another system is gone on with, recorded if it is, and what is none begins one", async () => {
  const { send, requests } = collecting();
  const clock = new ManualClock();
  const tracer = createTracer({
    endpoint: "http://c/",
    serviceName: "s",
    ratio: 0,
    clock,
    random: seededRandom(5),
    send,
  });
  const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const span = tracer.start("on", { a: 1 }, `00-${trace}-${parent}-01`);
  assert.ok(span.traceparent?.startsWith(`00-${trace}-`));
  span.end();
  assert.equal(tracer.start("off", {}, `00-${trace}-${parent}-00`).traceparent, undefined);
  for (const none of ["", "00-x", `00-${"0".repeat(32)}-${parent}-01`, `ff-${trace}-${parent}-01`])
    assert.equal(tracer.start("none", {}, none).traceparent, undefined, "the ratio of new traces is 0");
  await tracer.flush(signal);
  const spans = requests.flatMap(({ body }) => spansOf(body));
  assert.deepEqual(
    spans.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId]),
    [["on", trace, parent]],
  );
});
