import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { AwsCallError } from "./aws-call-error.ts";
import type { ObservedCall } from "./call-observer.ts";
import type { CallRequest } from "./caller.ts";
import { NotSentError } from "./send.ts";
import { SECRET, scriptedAws, TOKEN } from "./testing/scripted-aws.ts";
import type { Answer } from "./testing/scripted-aws.ts";

const failing = async (work: Promise<unknown>): Promise<AwsCallError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AwsCallError, String(error));
  return error;
};
const GROUP = { Name: "web", Protocol: "HTTP", Port: 80, VpcId: "vpc-1" };

test("a call is signed for its service and region, and its answer is what the wire says", async () => {
  const { aws, calls } = scriptedAws("elbv2", [{ output: { LoadBalancers: [{ LoadBalancerName: "web" }] } }]);
  const { LoadBalancers } = await aws.elbv2.describeLoadBalancers({ Names: ["web"] });
  assert.equal(LoadBalancers?.[0]?.LoadBalancerName, "web");
  assert.deepEqual(calls[0]?.input, { Names: ["web"] });
  assert.equal(calls[0]?.request.headers["host"], "elasticloadbalancing.eu-west-1.amazonaws.com");
  assert.match(calls[0]?.request.headers["authorization"] ?? "", /\/eu-west-1\/elasticloadbalancing\/aws4_request/);
});

test("a throttled call is made again, a create too: nothing was done", async () => {
  const { aws, calls, passing } = scriptedAws("elbv2", [
    { error: "Throttling" },
    { error: "Throttling" },
    { output: { TargetGroups: [{ TargetGroupArn: "arn" }] } },
  ]);
  const { TargetGroups } = await passing(aws.elbv2.createTargetGroup(GROUP));
  assert.equal(TargetGroups?.[0]?.TargetGroupArn, "arn");
  assert.equal(calls.length, 3);
});

test("patience ends, and the error says that it was throttling", async () => {
  const { aws, calls, passing } = scriptedAws("acm", [{ error: "ThrottlingException" }]);
  const error = await failing(passing(aws.acm.listCertificates({})));
  assert.deepEqual([error.kind, error.code, calls.length], ["throttled", "ThrottlingException", 5]);
  assert.equal(error.requestId, "request-1");
});

test("a lost answer: a read is made again, a create is unknown and not made again", async () => {
  const lost = { thrown: new Error("the connection ended") };
  const read = scriptedAws("elbv2", [lost, { output: {} }]);
  await read.passing(read.aws.elbv2.describeTags({ ResourceArns: ["arn"] }));
  assert.equal(read.calls.length, 2);

  const create = scriptedAws("elbv2", [lost, { output: {} }]);
  const error = await failing(create.passing(create.aws.elbv2.createTargetGroup(GROUP)));
  assert.deepEqual([error.kind, error.code, create.calls.length], ["unknown", "NoAnswer", 1]);
});

test("nothing was done when AWS refused every try, and something may have been when one got no answer", async () => {
  const lost = { thrown: new Error("the connection ended") };
  const [busy, refused] = [{ error: "Throttling" }, { error: "AccessDenied", status: 403 }];
  const told = async (...answers: readonly Answer[]): Promise<boolean> => {
    const { aws, passing } = scriptedAws("iam", answers);
    return (await failing(passing(aws.iam.deleteRole({ RoleName: "web" })))).didNothing;
  };
  assert.equal(await told(refused), true);
  assert.equal(await told(busy, refused), true);
  assert.equal(await told(busy), true);
  assert.equal(await told(lost, refused), false);
  assert.equal(await told(lost, busy, refused), false);
  assert.equal(await told(lost), false);
});

test("a request that never left is made again, whatever it is", async () => {
  const { aws, calls, passing } = scriptedAws("elbv2", [
    { thrown: new NotSentError("cannot be reached") },
    { output: {} },
  ]);
  await passing(aws.elbv2.createTargetGroup(GROUP));
  assert.equal(calls.length, 2);
});

test("keys that AWS calls ended are told to their source before the next try, and only where the clock is not the reason", async () => {
  const now = new ManualClock().now();
  const told = async (...answers: readonly Answer[]): Promise<readonly (string | undefined)[]> => {
    let given = 0;
    const ended: string[] = [];
    const credentials = async () => ({ accessKeyId: `key-${++given}`, secretAccessKey: SECRET });
    const tell = { ended: ({ accessKeyId }: { readonly accessKeyId: string }) => void ended.push(accessKeyId) };
    const { aws, passing } = scriptedAws("sts", answers, { credentials: Object.assign(credentials, tell) });
    await passing(aws.sts.getCallerIdentity({}));
    return ended;
  };
  const ok = { output: {} };
  const expired = { error: "ExpiredToken", status: 403 };
  const late = { error: "RequestExpired", date: new Date(now + 3_600_000).toUTCString() };
  assert.deepEqual(await told(ok), []);
  assert.deepEqual(await told(expired, { error: "ExpiredTokenException" }, ok), ["key-1", "key-2"]);
  assert.deepEqual(await told({ error: "Throttling" }, { error: "RequestExpired" }, ok), ["key-2"]);
  assert.deepEqual(await told(late, ok), []);
});

test("absence is believed by its code alone", async () => {
  const kindOf = async (answer: Answer): Promise<string> => {
    const { aws, passing } = scriptedAws("elbv2", [answer]);
    return (await failing(passing(aws.elbv2.deleteRule({ RuleArn: "arn" })))).kind;
  };
  const html = { status: 404, headers: {}, body: Buffer.from("<html>no such page") };
  assert.equal(await kindOf({ error: "RuleNotFound" }), "absent");
  assert.equal(await kindOf({ raw: html }), "terminal");
  assert.equal(await kindOf({ error: "AccessDenied", status: 403 }), "terminal");
  assert.equal(await kindOf({ error: "TooManyRules" }), "terminal");
  assert.equal(await kindOf({ error: "InternalFailure", status: 500 }), "retry");
});

test("an error tells nothing of the credentials, not even where AWS repeats them", async () => {
  const message = `It does not match. The Canonical String was x-amz-security-token:${TOKEN}`;
  const { aws } = scriptedAws("elbv2", [{ error: "SignatureDoesNotMatch", status: 403, message }]);
  const error = await failing(aws.elbv2.describeTags({ ResourceArns: ["arn"] }));
  assert.match(error.message, /It does not match\.$/);
  const other = scriptedAws("elbv2", [
    { error: "AccessDenied", status: 403, message: `${TOKEN} of AKIAEXAMPLE ${SECRET}` },
  ]);
  const denied = await failing(other.aws.elbv2.describeTags({ ResourceArns: ["arn"] }));
  for (const secret of [TOKEN, SECRET, "AKIAEXAMPLE"]) assert.ok(!denied.message.includes(secret));
});

test("listings go on to their end", async () => {
  const { aws, calls } = scriptedAws("elbv2", [
    { output: { Rules: [{ RuleArn: "a" }], NextMarker: "more" } },
    { output: { Rules: [{ RuleArn: "b" }] } },
  ]);
  const rules: (string | undefined)[] = [];
  for await (const { RuleArn } of aws.elbv2.allRules({ ListenerArn: "l" })) rules.push(RuleArn);
  assert.deepEqual(rules, ["a", "b"]);
  assert.deepEqual(calls[1]?.input, { ListenerArn: "l", Marker: "more" });
});

test("an abort ends the waiting at once, with its own reason", async () => {
  const { aws, clock } = scriptedAws("elbv2", [{ error: "Throttling" }]);
  const stopping = new AbortController();
  const call = aws.elbv2.describeTags({ ResourceArns: ["arn"] }, { signal: stopping.signal });
  stopping.abort(new Error("stopping"));
  await assert.rejects(call, /^Error: stopping$/);
  assert.equal(clock.pending, 0);
});

test("a service that is down is not met with ever more calls: retries come out of a stock", async () => {
  const { aws, calls, passing } = scriptedAws("elbv2", [{ error: "InternalFailure", status: 500 }]);
  for (let call = 0; call < 40; call++) await failing(passing(aws.elbv2.describeTags({ ResourceArns: ["arn"] })));
  assert.equal(calls.length, 40 + 100);
});

test("what changes something passes the gate at every try, reads do not; its error passes through, and nothing is sent", async () => {
  const closed = new Error("not leading");
  let tries = 0;
  const { aws, calls, passing } = scriptedAws("acm", [{ error: "ThrottlingException" }, { output: {} }], {
    gate: () => {
      if (++tries > 1) throw closed;
    },
  });
  const order = { DomainName: "a.example.com", IdempotencyToken: "t" };
  await assert.rejects(passing(aws.acm.requestCertificate(order)), (error) => error === closed);
  assert.deepEqual([tries, calls.length], [2, 1]);
  await aws.acm.listCertificates({});
  await aws.acm.listTagsForCertificate({ CertificateArn: "arn" });
  assert.equal(tries, 2);
});

test("every try waits for its budget", async () => {
  const taken: string[] = [];
  const take = async ({ service, operation }: CallRequest): Promise<void> => void taken.push(`${service} ${operation}`);
  const { aws, passing } = scriptedAws("acm", [{ error: "ThrottlingException" }, { output: {} }], {
    budgets: { take },
  });
  await passing(aws.acm.listCertificates({}));
  assert.deepEqual(taken, ["acm ListCertificates", "acm ListCertificates"]);
});

test("every try is told of, with how it ended; what the gate stops is none", async () => {
  const told: ObservedCall[] = [];
  let open = true;
  const { aws, passing } = scriptedAws("acm", [{ error: "ThrottlingException" }, { output: {} }, { error: "Odd" }], {
    gate: () => {
      if (!open) throw new Error("not leading");
    },
    onCall: (call) => void told.push(call),
  });
  await passing(aws.acm.deleteCertificate({ CertificateArn: "arn" }));
  await failing(passing(aws.acm.listCertificates({})));
  open = false;
  await assert.rejects(aws.acm.deleteCertificate({ CertificateArn: "arn" }), /not leading/);
  assert.deepEqual(
    told.map(({ operation, outcome, code }) => [operation, outcome, code]),
    [
      ["DeleteCertificate", "throttled", "ThrottlingException"],
      ["DeleteCertificate", "ok", undefined],
      ["ListCertificates", "terminal", "Odd"],
    ],
  );
  assert.ok(told.every(({ ms }) => ms >= 0));
});

test("documents for S3 have the digest that it asks for", async () => {
  const { aws, calls, passing } = scriptedAws("s3", [{ output: {} }]);
  await passing(aws.s3.putBucketTagging({ Bucket: "b", Tagging: { TagSet: [{ Key: "a", Value: "1" }] } }));
  await passing(aws.s3.getBucketTagging({ Bucket: "b" }));
  const [put, get] = calls.map(({ request }) => request);
  assert.equal(put?.headers["content-md5"], hash("md5", put?.body ?? "", "base64"));
  assert.equal(get?.headers["content-md5"], undefined);
});
