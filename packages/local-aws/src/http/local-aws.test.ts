import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireRequest } from "@gatewright/aws-wire";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { ConnectionLost, planFaults } from "../faults.ts";
import { SampleClient } from "../testing/sample-client.ts";
import { sampleServices } from "../testing/sample-services.ts";
import { createLocalAws } from "./local-aws.ts";
import type { LocalAws, LocalAwsOptions } from "./local-aws.ts";

const signal = new AbortController().signal;
const json = (body: string, target = "CertificateManager.RequestCertificate") => ({
  method: "POST",
  path: "/",
  headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": target },
  body: Buffer.from(body),
});
const form = (body: string) => ({
  method: "POST",
  path: "/",
  headers: { host: "localhost", "content-type": "application/x-www-form-urlencoded" },
  body: Buffer.from(body),
});

interface Bed {
  readonly aws: LocalAws;
  readonly clock: ManualClock;
  readonly client: SampleClient;
  readonly requested: readonly string[];
  readonly faults: unknown[];
}

async function bed(change: Partial<LocalAwsOptions> = {}): Promise<Bed> {
  const clock = new ManualClock();
  const { services, requested } = sampleServices();
  const faults: unknown[] = [];
  const aws = await createLocalAws({
    world: { clock, random: seededRandom() },
    services,
    onFault: (error) => void faults.push(error),
    ...change,
  });
  return { aws, clock, client: new SampleClient(aws, clock), requested, faults };
}

test("a signed call reaches its service, as the account whose key signed it", async () => {
  const { aws, clock, client } = await bed({
    keys: [
      { accessKeyId: "test", secretAccessKey: "test", account: "000000000000" },
      { accessKeyId: "AKIAOTHER", secretAccessKey: "other", account: "111111111111" },
    ],
  });
  const other = new SampleClient(aws, clock, { accessKeyId: "AKIAOTHER", secretAccessKey: "other" });
  assert.equal((await client.call("sts", "GetCallerIdentity")).output["Account"], "000000000000");
  const { output } = await other.call("sts", "GetCallerIdentity");
  assert.equal(output["Account"], "111111111111");
  assert.equal(output["Arn"], "arn:aws:iam::111111111111:root");
});

test("keys that STS gave out work with their token until they expire", async () => {
  const clock = new ManualClock();
  const session = {
    secretAccessKey: "secret",
    sessionToken: "token",
    expires: clock.now() + 60_000,
    account: "222222222222",
    arn: "arn:aws:sts::222222222222:assumed-role/Role/me",
    userId: "AROA:me",
  };
  const { aws } = await bed({
    world: { clock, random: seededRandom() },
    issued: { find: (id) => (id === "ASIA1" ? session : undefined) },
  });
  const credentials = { accessKeyId: "ASIA1", secretAccessKey: "secret", sessionToken: "token" };
  const client = new SampleClient(aws, clock, credentials);
  assert.equal((await client.call("sts", "GetCallerIdentity")).output["Arn"], session.arn);
  clock.advance(60_000);
  assert.equal((await client.call("sts", "GetCallerIdentity")).code, "ExpiredToken");
});

test("who cannot prove who they are learns it in the words of each service", async () => {
  const { aws, clock } = await bed();
  const wrong = new SampleClient(aws, clock, { accessKeyId: "test", secretAccessKey: "wrong" });
  const unknown = new SampleClient(aws, clock, { accessKeyId: "AKIANO", secretAccessKey: "test" });
  const get = ["GetObject", { Bucket: "bucket", Key: "key" }] as const;
  assert.equal((await wrong.call("sts", "GetCallerIdentity")).code, "SignatureDoesNotMatch");
  assert.equal((await unknown.call("sts", "GetCallerIdentity")).code, "InvalidClientTokenId");
  assert.equal((await wrong.call("acm", "ListCertificates")).code, "InvalidSignatureException");
  assert.equal((await unknown.call("acm", "ListCertificates")).code, "UnrecognizedClientException");
  assert.equal((await wrong.call("s3", ...get)).code, "SignatureDoesNotMatch");
  assert.equal((await unknown.call("s3", ...get)).code, "InvalidAccessKeyId");
});

test("a clock that is off is told so", async () => {
  const { aws, clock } = await bed();
  const past = new SampleClient(aws, new ManualClock(clock.now() - 16 * 60_000));
  const { code, message } = await past.call("sts", "GetCallerIdentity");
  assert.equal(code, "SignatureDoesNotMatch");
  assert.equal(
    message,
    "Signature expired: 20291231T234400Z is now earlier than 20291231T234500Z (20300101T000000Z - 15 min.)",
  );
  assert.equal((await past.call("s3", "GetObject", { Bucket: "b", Key: "k" })).code, "RequestTimeTooSkewed");
});

test("only who has no key yet may come without a signature", async () => {
  const { aws, client } = await bed();
  const open =
    "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn:aws:iam::000000000000:role/r&RoleSessionName=me";
  const answer = await aws.handle(form(`${open}&WebIdentityToken=token`), signal);
  assert.equal((await client.read("sts", "AssumeRoleWithWebIdentity", answer)).output["Audience"], "nobody");
  const refused = await aws.handle(form("Action=GetCallerIdentity&Version=2011-06-15"), signal);
  assert.equal((await client.read("sts", "GetCallerIdentity", refused)).code, "MissingAuthenticationToken");
  const s3 = await aws.handle(
    { method: "GET", path: "/b/k", headers: { host: "localhost" }, body: Buffer.alloc(0) },
    signal,
  );
  assert.equal((await client.read("s3", "GetObject", s3)).code, "AccessDenied");
});

test("signatures of version 2, in headers and in addresses, are told to be too old", async () => {
  const { aws, client } = await bed();
  for (const [path, authorization] of [
    ["/b/k?AWSAccessKeyId=test&Signature=c2ln&Expires=1900000000", undefined],
    ["/b/k", "AWS test:c2ln"],
  ] as const) {
    const headers = { host: "localhost", ...(authorization && { authorization }) };
    const answer = await aws.handle({ method: "GET", path, headers, body: Buffer.alloc(0) }, signal);
    const { code, status, message } = await client.read("s3", "GetObject", answer);
    assert.deepEqual([code, status], ["InvalidRequest", 400]);
    assert.match(message, /Please use AWS4-HMAC-SHA256/);
  }
});

test("malformed bodies, unknown operations and unserved services are refused, and the next call is answered", async () => {
  const { aws, client, faults } = await bed();
  const code = async (name: "acm" | "sts" | "s3", request: WireRequest): Promise<string> =>
    (await client.read(name, "", await client.send(name, request))).code;
  assert.equal(await code("acm", json("{")), "SerializationException");
  assert.equal(await code("acm", json('{"DomainName": 7}')), "SerializationException");
  assert.equal(await code("acm", json("{}", "CertificateManager.Nothing")), "UnknownOperationException");
  assert.equal(await code("acm", json("{}", "CertificateManager.constructor")), "UnknownOperationException");
  assert.equal(await code("sts", form("Action=Nothing&Version=2011-06-15")), "InvalidAction");
  assert.equal(await code("sts", form("")), "MissingAction");
  assert.equal(await code("sts", form("Action=AssumeRole&DurationSeconds=x")), "MalformedInput");
  const xml = { method: "PUT", path: "/b?tagging", headers: {}, body: Buffer.from("<a><b></a>") };
  assert.equal(await code("s3", xml), "MalformedXML");
  assert.equal((await client.send("route53", form(""))).status, 400);
  assert.equal((await client.call("sts", "GetCallerIdentity")).code, "OK");
  assert.deepEqual(faults, []);
  assert.ok(aws.journal.calls().length > 8);
});

test("what the model forbids is refused before the service sees it", async () => {
  const { client, requested } = await bed();
  const missing = await client.call("acm", "RequestCertificate");
  assert.equal(missing.code, "ValidationException");
  assert.equal(
    missing.message,
    "1 validation error detected: Value null at 'domainName' failed to satisfy constraint: Member must not be null",
  );
  const wrong = { DomainName: "", ValidationMethod: "PIGEON" };
  const { message } = await client.call("acm", "RequestCertificate", wrong);
  assert.match(
    message,
    /^2 validation errors detected: .*length greater than or equal to 1; .*enum value set: \[EMAIL, DNS/,
  );
  assert.deepEqual(requested, []);
});

test("a fault of our own is told to the log once, and to the client only that it was one", async () => {
  const { client, faults } = await bed();
  const { code, status, message } = await client.call("acm", "ListCertificates");
  assert.equal(code, "InternalFailure");
  assert.equal(status, 500);
  assert.doesNotMatch(message, /secret/);
  assert.equal(faults.length, 1);
});

test("calls beyond the rate are throttled until time has passed; limits can be turned off", async () => {
  const { client, clock, requested } = await bed();
  const ask = async () => (await client.call("acm", "RequestCertificate", { DomainName: "a.example" })).code;
  for (let i = 0; i < 5; i++) assert.equal(await ask(), "OK");
  assert.equal(await ask(), "ThrottlingException");
  clock.advance(200);
  assert.equal(await ask(), "OK");
  assert.equal(requested.length, 6);
  const free = await bed({ limits: "off" });
  for (let i = 0; i < 50; i++) await free.client.call("acm", "RequestCertificate", { DomainName: "a.example" });
  assert.equal(free.requested.length, 50);
});

test("the bucket of S3 may be in the host", async () => {
  const { client } = await bed();
  for (const host of [
    "my.bucket.s3.localhost:4566",
    "my.bucket.localhost:4566",
    "my.bucket.s3.eu-west-1.amazonaws.com",
  ]) {
    const put = { method: "PUT", path: "/some%20key", headers: { host }, body: Buffer.from(host) };
    assert.equal((await client.send("s3", put)).status, 200);
    const { output } = await client.call("s3", "GetObject", { Bucket: "my.bucket", Key: "some key" });
    assert.equal(Buffer.from(output["Body"] as Uint8Array).toString(), host);
  }
  const plain = {
    method: "PUT",
    path: "/bucket/key",
    headers: { host: "s3.eu-west-1.localhost" },
    body: Buffer.from("x"),
  };
  await client.send("s3", plain);
  assert.equal((await client.call("s3", "GetObject", { Bucket: "bucket", Key: "key" })).code, "OK");
});

test("faults happen by plan: before a call it is not made, after it its answer is lost", async () => {
  const { client, requested, aws } = await bed({
    limits: "off",
    faults: planFaults([
      { when: ({ operation }) => operation === "RequestCertificate", fault: { kind: "drop" }, times: 1 },
      { when: ({ service }) => service === "acm", fault: { kind: "throttle" }, times: 1 },
      { when: ({ service }) => service === "acm", fault: { kind: "deny" }, times: 1 },
      {
        when: ({ region }) => region === "us-east-1",
        fault: { kind: "error", code: "ServiceUnavailable", status: 503 },
      },
      {
        when: ({ operation }) => operation === "RequestCertificate",
        fault: { kind: "lose reply" },
        times: 1,
        after: true,
      },
    ]),
  });
  const ask = (region?: string) => client.call("acm", "RequestCertificate", { DomainName: "a.example" }, region);
  await assert.rejects(ask(), ConnectionLost);
  assert.equal((await ask()).code, "ThrottlingException");
  const denied = await ask();
  assert.equal(denied.code, "AccessDeniedException");
  assert.match(
    denied.message,
    /^User: arn:aws:iam::000000000000:root is not authorized to perform: acm:RequestCertificate/,
  );
  assert.equal((await ask("us-east-1")).status, 503);
  assert.deepEqual(requested, []);
  await assert.rejects(ask(), ConnectionLost);
  assert.deepEqual(requested, ["a.example"]);
  assert.equal((await ask()).code, "OK");
  assert.equal(aws.journal.calls({ operation: "RequestCertificate", code: "OK" }).length, 2);
});

test("a delay lasts as long as the clock says, and may end in another fault", async () => {
  const { client, clock } = await bed({
    faults: planFaults([
      { when: () => true, fault: { kind: "delay", ms: 5000, next: { kind: "error", code: "RequestTimeout" } } },
    ]),
  });
  let told: string | undefined;
  const call = client.call("sts", "GetCallerIdentity").then(({ code }) => (told = code));
  while (clock.pending === 0) await Promise.resolve();
  clock.advance(4999);
  await Promise.resolve();
  assert.equal(told, undefined);
  clock.advance(1);
  await call;
  assert.equal(told, "RequestTimeout");
});

test("the journal says what was called, how it ended, and what it was about", async () => {
  const { aws, client } = await bed();
  const get = async (path: string, method = "GET", host = "127.0.0.1:4566") => {
    const { status, body } = await aws.handle({ method, path, headers: { host }, body: Buffer.alloc(0) }, signal);
    return { status, text: Buffer.from(body).toString() };
  };
  await client.call("acm", "RequestCertificate", { DomainName: "a.example" });
  await client.call("acm", "DescribeCertificate", {
    CertificateArn: "arn:aws:acm:eu-west-1:000000000000:certificate/1",
  });
  await client.call("sts", "GetCallerIdentity");
  const page = JSON.parse((await get("/_journal?service=acm")).text) as {
    counts: unknown;
    calls: Record<string, unknown>[];
  };
  assert.deepEqual(page.counts, { "acm:RequestCertificate": 1, "acm:DescribeCertificate": 1 });
  assert.deepEqual(
    page.calls.map(({ code, resource, region }) => [code, resource, region]),
    [
      ["OK", "a.example", "eu-west-1"],
      ["ResourceNotFoundException", "arn:aws:acm:eu-west-1:000000000000:certificate/1", "eu-west-1"],
    ],
  );
  assert.match(
    (await get("/_metrics")).text,
    /local_aws_calls_total\{service="acm",operation="RequestCertificate",code="OK"\} 1\n/,
  );
  assert.equal((await get("/_health")).status, 200);
  assert.equal((await get("/_journal", "DELETE")).status, 204);
  assert.equal(aws.journal.calls().length, 0);
  assert.equal((await get("/_journal", "GET", "evil.example")).status, 403);
  assert.equal((await get("/_journal", "POST")).status, 405);
});

test("the journal is bounded and says how much it forgot", async () => {
  const { CallJournal } = await import("../call-journal.ts");
  const journal = new CallJournal(10);
  const entry = {
    time: 0,
    requestId: "",
    account: "",
    region: "",
    service: "acm",
    operation: "List",
    code: "OK",
    status: 200,
    milliseconds: 1,
    resource: undefined,
  };
  for (let i = 0; i < 1000; i++) journal.add({ ...entry, time: i });
  assert.ok(journal.calls().length <= 20);
  assert.equal(journal.calls().length + journal.forgotten, 1000);
  assert.equal(journal.calls().at(-1)?.time, 999);
  assert.match(journal.metrics(), /calls_total\{.*\} 1000\n/);
});
