import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceName } from "@gatewright/aws-wire";
import { deadline, ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import type { Call } from "./call.ts";
import { composeServices } from "./compose-services.ts";
import { ConnectionLost, planFaults } from "./faults.ts";
import type { Fault, PlannedFault } from "./faults.ts";
import { createLocalAws } from "./http/local-aws.ts";
import { createMemoryState } from "./state/memory-state.ts";
import { SampleClient } from "./testing/sample-client.ts";
import type { Told } from "./testing/sample-client.ts";

/** Something that can be made, and looked for. */
interface Subject {
  readonly service: ServiceName;
  readonly make: readonly [operation: string, input: object];
  readonly look: readonly [operation: string, input: object];
  /** What looking finds. */
  readonly found: (answer: Told) => number;
  /** What throttling and lost permissions are called. */
  readonly throttled: string;
  readonly denied: string;
}

const count = (answer: Told, ...path: readonly string[]): number =>
  (path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], answer.output) as unknown[]).length;

const SUBJECTS: readonly Subject[] = [
  {
    service: "acm",
    make: ["RequestCertificate", { DomainName: "www.shop.example", ValidationMethod: "DNS", IdempotencyToken: "once" }],
    look: ["ListCertificates", {}],
    found: (answer) => count(answer, "CertificateSummaryList"),
    throttled: "ThrottlingException",
    denied: "AccessDeniedException",
  },
  {
    service: "route53",
    make: ["CreateHostedZone", { Name: "shop.example", CallerReference: "once" }],
    look: ["ListHostedZones", {}],
    found: (answer) => count(answer, "HostedZones"),
    throttled: "Throttling",
    denied: "AccessDenied",
  },
  {
    service: "ec2",
    make: [
      "RunInstances",
      { ImageId: "ami-0a1b2c3d4e5f60001", InstanceType: "t3.micro", MinCount: 1, MaxCount: 1, ClientToken: "once" },
    ],
    look: ["DescribeInstances", { Filters: [{ Name: "client-token", Values: ["once"] }] }],
    found: (answer) => count(answer, "Reservations"),
    throttled: "RequestLimitExceeded",
    denied: "UnauthorizedOperation",
  },
];

async function stage(plan: readonly PlannedFault[], staleMs = Number.POSITIVE_INFINITY) {
  const clock = new ManualClock();
  const random = seededRandom(1);
  const world = { clock, random, state: createMemoryState(), pace: { durations: 0, lag: false } };
  const aws = await createLocalAws({
    world,
    services: composeServices(world).all,
    faults: planFaults(plan),
    staleMs,
    onFault: (error) => assert.fail(String(error)),
  });
  return { aws, clock, client: new SampleClient(aws, clock) };
}

for (const { service, make, look, found, throttled, denied } of SUBJECTS) {
  const [operation] = make;
  const making = (call: Call): boolean => call.service === service && call.operation === operation;
  const once = (fault: Fault, after = false): PlannedFault => ({ when: making, fault, times: 1, after });

  test(`${service}: a call that timed out may have been done all the same`, async () => {
    const { aws, clock } = await stage([once({ kind: "delay", ms: 60_000, next: { kind: "lose reply" } }, true)]);
    using patience = deadline(clock, 10_000);
    const impatient = new SampleClient({ handle: (request) => aws.handle(request, patience.signal) }, clock);
    const asked = assert.rejects(impatient.call(service, ...make), ConnectionLost);
    while (clock.pending < 2) await nextTurn();
    clock.advance(10_000);
    await asked;
    assert.equal(found(await new SampleClient(aws, clock).call(service, ...look)), 1);
    assert.equal(aws.journal.calls({ operation }).length, 1);
  });

  test(`${service}: a reply gets lost, and to ask once more with the same token or reference makes nothing twice`, async () => {
    const { client } = await stage([once({ kind: "lose reply" }, true)]);
    await assert.rejects(client.call(service, ...make), ConnectionLost);
    assert.ok(["OK", "HostedZoneAlreadyExists"].includes((await client.call(service, ...make)).code));
    assert.equal(found(await client.call(service, ...look)), 1);
  });

  test(`${service}: what is throttled or forbidden was not done, and can be done once that is over`, async () => {
    const { client } = await stage([once({ kind: "throttle" }), once({ kind: "deny" })]);
    const codes = [];
    for (let i = 0; i < 2; i++) codes.push((await client.call(service, ...make)).code);
    assert.deepEqual(codes, [throttled, denied]);
    assert.equal(found(await client.call(service, ...look)), 0);
    assert.equal((await client.call(service, ...make)).code, "OK");
    assert.equal(found(await client.call(service, ...look)), 1);
  });

  test(`${service}: a stale read does not know yet what was done`, async () => {
    const asked: string[] = [];
    const { client } = await stage([
      { when: (call) => call.operation === look[0] && asked.push(call.operation) === 2, fault: { kind: "stale" } },
    ]);
    assert.equal(found(await client.call(service, ...look)), 0);
    await client.call(service, ...make);
    assert.equal(found(await client.call(service, ...look)), 0);
    assert.equal(found(await client.call(service, ...look)), 1);
  });

  test(`${service}: a permission that is lost for an hour comes back`, async () => {
    let since = 0;
    const { client, clock } = await stage([
      { when: (call) => call.service === service && clock.now() < since + 3_600_000, fault: { kind: "deny" } },
    ]);
    since = clock.now();
    assert.equal((await client.call(service, ...look)).code, denied);
    clock.advance(3_600_000);
    assert.equal((await client.call(service, ...look)).code, "OK");
  });

  test(`${service}: while it is out in one region, all else goes on`, async () => {
    const { client } = await stage([
      {
        when: (call) => call.service === service && call.region === "eu-west-1",
        fault: { kind: "error", code: "ServiceUnavailable", status: 503 },
      },
    ]);
    const { code, status } = await client.call(service, ...make);
    assert.deepEqual([code, status], ["ServiceUnavailable", 503]);
    assert.equal((await client.call(service, ...make, "us-east-1")).code, "OK");
    assert.equal((await client.call("sts", "GetCallerIdentity")).code, "OK");
  });
}

test("an answer that is too old is not given again", async () => {
  const stale: PlannedFault = { when: ({ operation }) => operation === "GetQueueUrl", fault: { kind: "stale" } };
  const { client, clock } = await stage([stale], 5_000);
  const look = async () => (await client.call("sqs", "GetQueueUrl", { QueueName: "work" })).code;
  const none = "AWS.SimpleQueueService.NonExistentQueue";
  assert.equal(await look(), none);
  assert.equal((await client.call("sqs", "CreateQueue", { QueueName: "work" })).code, "OK");
  clock.advance(5_000);
  assert.equal(await look(), none);
  clock.advance(1);
  assert.equal(await look(), "OK");
});

test("a refusal can be stale, too", async () => {
  const asked: string[] = [];
  const { client } = await stage([
    { when: (call) => call.operation === "GetQueueUrl" && asked.push("") === 2, fault: { kind: "stale" } },
    { when: (call) => call.operation === "CreateQueue", fault: { kind: "stale" } },
  ]);
  const look = async () => (await client.call("sqs", "GetQueueUrl", { QueueName: "work" })).code;
  assert.equal(await look(), "AWS.SimpleQueueService.NonExistentQueue");
  assert.equal((await client.call("sqs", "CreateQueue", { QueueName: "work" })).code, "OK");
  assert.equal(await look(), "AWS.SimpleQueueService.NonExistentQueue");
  assert.equal(await look(), "OK");
});
