import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE_NAMES, codecOf, loadModel } from "@gatewright/aws-wire";
import type { ServiceName, WireRequest } from "@gatewright/aws-wire";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import fc from "fast-check";
import { composeServices } from "../compose-services.ts";
import { createMemoryState } from "../state/memory-state.ts";
import { randomInput } from "../testing/random-input.ts";
import type { Draw } from "../testing/random-input.ts";
import { SampleClient } from "../testing/sample-client.ts";
import { createLocalAws } from "./local-aws.ts";

async function wholeCloud() {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(3), state: createMemoryState(), pace: { durations: 0.1, lag: true } };
  const faults: unknown[] = [];
  const services = composeServices(world);
  const aws = await createLocalAws({
    world,
    services: services.all,
    issued: services.issued,
    limits: "off",
    onFault: (error, where) => void faults.push([where, error]),
  });
  return { aws, clock, faults, client: new SampleClient(aws, clock) };
}

const TRUST =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}';

/** What there is to find from the start: one of nearly everything. */
const FURNITURE: readonly (readonly [ServiceName, string, object])[] = [
  ["sqs", "CreateQueue", { QueueName: "one", tags: { team: "one" } }],
  ["sqs", "CreateQueue", { QueueName: "two.fifo", Attributes: { FifoQueue: "true" } }],
  ["sqs", "SendMessage", { QueueUrl: "http://localhost/000000000000/one", MessageBody: "x" }],
  ["sqs", "ReceiveMessage", { QueueUrl: "http://localhost/000000000000/one" }],
  ["sns", "CreateTopic", { Name: "one" }],
  [
    "sns",
    "Subscribe",
    {
      TopicArn: "arn:aws:sns:eu-west-1:000000000000:one",
      Protocol: "sqs",
      Endpoint: "arn:aws:sqs:eu-west-1:000000000000:one",
    },
  ],
  [
    "dynamodb",
    "CreateTable",
    {
      TableName: "one",
      AttributeDefinitions: [{ AttributeName: "one", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "one", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    },
  ],
  ["s3", "CreateBucket", { Bucket: "one", CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } }],
  ["s3", "PutBucketVersioning", { Bucket: "one", VersioningConfiguration: { Status: "Enabled" } }],
  ["s3", "PutObject", { Bucket: "one", Key: "one", Body: Buffer.from("x") }],
  ["s3", "CreateMultipartUpload", { Bucket: "one", Key: "two" }],
  ["route53", "CreateHostedZone", { Name: "a.example", CallerReference: "one" }],
  ["acm", "RequestCertificate", { DomainName: "b.a.example", ValidationMethod: "DNS" }],
  ["ec2", "DescribeSubnets", {}],
  ["ec2", "DescribeSecurityGroups", {}],
  [
    "ec2",
    "RunInstances",
    { ImageId: "ami-0a1b2c3d4e5f60001", InstanceType: "t3.micro", MinCount: 1, MaxCount: 1, ClientToken: "one" },
  ],
  ["elbv2", "CreateTargetGroup", { Name: "one", Protocol: "HTTP", Port: 80, TargetType: "ip", VpcId: "vpc-1" }],
  ["elbv2", "CreateLoadBalancer", { Name: "one", Subnets: ["subnet-a", "subnet-b"] }],
  [
    "rds",
    "CreateDBInstance",
    {
      DBInstanceIdentifier: "one",
      Engine: "postgres",
      DBInstanceClass: "db.t4g.micro",
      AllocatedStorage: 20,
      MasterUsername: "boss",
      MasterUserPassword: "secret-of-one",
    },
  ],
  ["secretsmanager", "CreateSecret", { Name: "one", ClientRequestToken: "one-".repeat(8), SecretString: "x" }],
  ["iam", "CreateRole", { RoleName: "one", AssumeRolePolicyDocument: TRUST }],
  ["iam", "CreateInstanceProfile", { InstanceProfileName: "one" }],
  ["ecr", "CreateRepository", { repositoryName: "one" }],
  ["ecr", "PutImage", { repositoryName: "one", imageManifest: "{}", imageTag: "one" }],
  ["sts", "AssumeRole", { RoleArn: "arn:aws:iam::000000000000:role/one", RoleSessionName: "one" }],
];

/** Waits for what may wait itself, by letting time pass. */
async function whileTimePasses<T>(clock: ManualClock, answer: Promise<T>): Promise<T> {
  let done = false;
  const ended = answer.finally(() => (done = true));
  while (!done) {
    await nextTurn();
    if (!done && clock.pending > 0) clock.advance(1000);
  }
  return ended;
}

/** What can happen to bytes on their way. */
function damaged(draw: Draw, request: WireRequest): WireRequest {
  const { body } = request;
  const at = body.length === 0 ? 0 : draw(() => fc.nat({ max: body.length - 1 }));
  switch (draw(() => fc.constantFrom("whole", "whole", "whole", "cut", "flipped", "doubled", "path"))) {
    case "cut":
      return { ...request, body: body.subarray(0, at) };
    case "flipped":
      return { ...request, body: body.map((byte, i) => (i === at ? byte ^ 0x11 : byte)) };
    case "doubled":
      return { ...request, body: Buffer.concat([body, body.subarray(at)]) };
    case "path":
      return {
        ...request,
        path: `${request.path}${draw(() => fc.constantFrom("?", "&x=%zz", "//", "%00", "?uploads&versioning"))}`,
      };
    default:
      return request;
  }
}

/** Every text in an answer, however deep. */
function textsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === "string" && value.length < 200) found.push(value);
  else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) textsIn(part, found);
  }
  return found;
}

test("calls of the right types and no sense, whole or damaged, are answered in the words of AWS by every service", async () => {
  const models = new Map(await Promise.all(SERVICE_NAMES.map(async (name) => [name, await loadModel(name)] as const)));
  const codes = new Set<string>();
  const property = fc.asyncProperty(fc.gen(), async (gen) => {
    const draw: Draw = (make) => gen(make);
    const { clock, faults, client } = await wholeCloud();
    const seen: string[] = [];
    for (const [name, operation, input] of FURNITURE) {
      const { code, output } = await client.call(name, operation, input);
      assert.equal(code, "OK", operation);
      seen.push(...textsIn(output).filter((text) => /^arn:|^http|^\w+-[0-9a-f]{8}|^\/hostedzone|=$/.test(text)));
    }
    const found = seen.length;
    clock.advance(60_000);
    for (let i = 0; i < 60; i++) {
      const name = draw(() => fc.constantFrom(...SERVICE_NAMES));
      const model = models.get(name) ?? assert.fail();
      const operation = draw(() => fc.constantFrom(...Object.keys(model.operations)));
      const input = randomInput(draw, model, operation, seen);
      let request: WireRequest;
      try {
        request = damaged(draw, codecOf(model).encodeRequest(model, operation, input));
      } catch (error) {
        // Not every text can be part of an address: then no client could send it either.
        assert.ok(error instanceof Error);
        continue;
      }
      const response = await whileTimePasses(clock, client.send(name, request));
      assert.deepEqual(faults, [], `${name} ${operation} ${JSON.stringify(input)}`);
      // 501 is S3's word for what is not served.
      assert.ok(response.status < 500 || response.status === 501, `${name} ${operation}: ${response.status}`);
      if (request.method === "HEAD") continue;
      const { code, output } = await client.read(name, operation, response);
      codes.add(`${name} ${code}`);
      seen.push(...textsIn(output));
      seen.splice(found, Math.max(0, seen.length - found - 40));
    }
  });
  // A failure is told at once: to shrink worlds of this size takes more memory than there is.
  await fc.assert(property, { numRuns: 40, seed: 5, endOnFailure: true });
  // Else it tells nothing: all services must have been reached, and must have refused for many reasons.
  assert.deepEqual(
    SERVICE_NAMES.filter((name) => !codes.has(`${name} OK`)),
    [],
  );
  assert.ok(codes.size > 60, `${codes.size}`);
});
