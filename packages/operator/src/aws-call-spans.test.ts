import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { createAws, staticCredentials } from "@gatewright/aws";
import { core } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import { createClient, createManager, createTracer, done } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";
import { awsCallSpans } from "./aws-call-spans.ts";

interface SpanJson {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string }[];
}

const EMPTY_LIST = new TextEncoder().encode('{"CertificateSummaryList":[]}');

test("a run, its requests to the API server and its calls to AWS are one trace", async () => {
  const [clock, random] = [systemClock, systemRandom];
  const posted: string[] = [];
  const tracer = createTracer({
    endpoint: "http://collector/v1/traces",
    serviceName: "test",
    clock,
    random,
    send: async ({ body }) => (posted.push(body), { status: 200 }),
  });
  const aws = createAws({
    region: "eu-west-1",
    credentials: staticCredentials({ accessKeyId: "key", secretAccessKey: "secret" }),
    clock,
    random,
    send: async () => ({ status: 200, headers: {}, body: EMPTY_LIST }),
    onTry: awsCallSpans(tracer),
  });
  const server = await createApiServer();
  const carried: (string | undefined)[] = [];
  const transport: Transport = (request) => {
    if (request.method === "PATCH") carried.push(String(request.headers?.["traceparent"]));
    return server.transport()(request);
  };
  const manager = createManager({ name: "test", transport, tracer, clock, random });
  const { promise: ran, resolve: hasRun } = Promise.withResolvers<void>();
  manager.add({
    name: "maps",
    for: core.ConfigMap,
    scope: { namespace: "default" },
    access: [{ resource: core.ConfigMap, verbs: ["patch"] }],
    async reconcile({ ref, client, signal }) {
      if (ref.name !== "map") return done();
      await client.for(core.ConfigMap).patch(ref, { merge: { data: { seen: "yes" } } });
      await aws.acm.listCertificates({}, { signal });
      hasRun();
      return done();
    },
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await createClient(server.transport())
    .for(core.ConfigMap)
    .create({ metadata: { namespace: "default", name: "map" } });
  await ran;
  stop.abort();
  await running;
  await tracer.flush(new AbortController().signal);
  await server.close();

  const spans = posted.flatMap((body): SpanJson[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  const call = spans.find(({ name }) => name === "acm.ListCertificates");
  const run = spans.find(({ spanId }) => spanId === call?.parentSpanId);
  assert.equal(run?.name, "reconcile");
  assert.ok(run.attributes.some(({ key }) => key === "queue.wait_ms"));
  const patch = spans.find(({ name, parentSpanId }) => name === "PATCH" && parentSpanId === run.spanId);
  assert.equal(patch?.traceId, run.traceId);
  assert.ok(carried.includes(`00-${patch.traceId}-${patch.spanId}-01`));
});

test("a call that no run makes is a trace of its own", async () => {
  const posted: string[] = [];
  const tracer = createTracer({
    endpoint: "http://collector/v1/traces",
    serviceName: "test",
    clock: systemClock,
    random: systemRandom,
    send: async ({ body }) => (posted.push(body), { status: 200 }),
  });
  awsCallSpans(tracer)({ service: "route53", operation: "ListResourceRecordSets" })();
  await tracer.flush(new AbortController().signal);
  const [span] = JSON.parse(posted[0] ?? "").resourceSpans[0].scopeSpans[0].spans as SpanJson[];
  assert.deepEqual([span?.name, span?.parentSpanId], ["route53.ListResourceRecordSets", undefined]);
});
