import assert from "node:assert/strict";
import { test } from "node:test";
import { codecOf, loadModel, signRequest } from "@gatewright/aws-wire";
import type { ServiceName, WireRequest } from "@gatewright/aws-wire";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { composeServices } from "../compose-services.ts";
import { createMemoryState } from "../state/memory-state.ts";
import { SampleClient } from "../testing/sample-client.ts";
import { createLocalAws } from "./local-aws.ts";

/** What a refusal is: its code, and its status where it is not 400. */
type Refusal = string | readonly [code: string, status: number];

/** A call that any account can make, and how the service refuses what is not one. */
interface Row {
  readonly call: readonly [operation: string, input?: object];
  /** A body for the call that is none, and what it is called. */
  readonly malformed: readonly (readonly [body: string, Refusal])[];
  readonly unknownOperation: Refusal;
  readonly wrongSignature: Refusal;
  readonly unknownKey: Refusal;
  readonly late: Refusal;
  readonly unsigned: Refusal;
  readonly changedBody: Refusal;
  readonly tooLarge: Refusal;
  /** Calls that ask for more than one call may. */
  readonly tooMany: readonly (readonly [operation: string, input: object, Refusal])[];
}

const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
/** Nested deeper than any call stack goes, in place of a member that is known. */
const deepJson = (member: string): string => `{"${member}":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
const deepXml = (depth: number): string => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}`;

/** A value of DynamoDB that is in a list in a list, so many times. */
const nested = (depth: number): object => many(depth, () => 0).reduce<object>((inner) => ({ L: [inner] }), { S: "x" });

const BROKEN_JSON = ["{", "[]", "null", '"text"', "\u0000", '{"a":}', "{}{}"];
const BROKEN_XML = [
  "<a><b></a>",
  "<a",
  "text",
  "\u0000",
  "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
  deepXml(100_000),
  "<a/><b/>",
];
const all = (bodies: readonly string[], refusal: Refusal) => bodies.map((body) => [body, refusal] as const);

const ONE_SECRET = { Name: "a", ClientRequestToken: "a".repeat(32) };
const JSON_ROW = {
  unknownOperation: "UnknownOperationException",
  wrongSignature: "InvalidSignatureException",
  unknownKey: "UnrecognizedClientException",
  late: "InvalidSignatureException",
  unsigned: "MissingAuthenticationTokenException",
  changedBody: "InvalidSignatureException",
  tooLarge: ["RequestEntityTooLargeException", 413],
} as const;
const QUERY_ROW = {
  unknownOperation: "InvalidAction",
  wrongSignature: ["SignatureDoesNotMatch", 403],
  unknownKey: ["InvalidClientTokenId", 403],
  late: ["SignatureDoesNotMatch", 403],
  unsigned: ["MissingAuthenticationToken", 403],
  changedBody: ["SignatureDoesNotMatch", 403],
  tooLarge: ["RequestEntityTooLarge", 413],
} as const;

const ROWS: Readonly<Record<ServiceName, Row>> = {
  acm: {
    ...JSON_ROW,
    call: ["ListCertificates"],
    malformed: all([...BROKEN_JSON, deepJson("Includes"), '{"MaxItems":"many"}'], "SerializationException"),
    tooMany: [
      [
        "RequestCertificate",
        { DomainName: "a.example", SubjectAlternativeNames: many(10, (i) => `${i}.a.example`) },
        "LimitExceededException",
      ],
      [
        "RequestCertificate",
        { DomainName: "a.example", Tags: many(51, (i) => ({ Key: `k${i}`, Value: "" })) },
        "ValidationException",
      ],
    ],
  },
  tagging: {
    ...JSON_ROW,
    call: ["GetResources"],
    malformed: all([...BROKEN_JSON, deepJson("TagFilters")], "SerializationException"),
    tooMany: [
      [
        "TagResources",
        { ResourceARNList: many(21, (i) => `arn:aws:sqs:a:b:${i}`), Tags: { a: "b" } },
        "InvalidParameterException",
      ],
      ["GetResources", { ResourcesPerPage: 101 }, "InvalidParameterException"],
    ],
  },
  ecr: {
    ...JSON_ROW,
    call: ["DescribeRepositories"],
    malformed: all([...BROKEN_JSON, deepJson("repositoryNames"), '{"maxResults":"many"}'], "SerializationException"),
    tooMany: [
      ["DescribeRepositories", { maxResults: 1001 }, "InvalidParameterException"],
      [
        "BatchGetImage",
        { repositoryName: "aa", imageIds: many(101, () => ({ imageTag: "a" })) },
        "InvalidParameterException",
      ],
      [
        "CreateRepository",
        { repositoryName: "aa", tags: many(51, (i) => ({ Key: `k${i}`, Value: "" })) },
        "TooManyTagsException",
      ],
    ],
  },
  secretsmanager: {
    ...JSON_ROW,
    call: ["ListSecrets"],
    malformed: all([...BROKEN_JSON, deepJson("Filters"), '{"MaxResults":"many"}'], "SerializationException"),
    tooMany: [
      ["ListSecrets", { MaxResults: 101 }, "ValidationException"],
      ["CreateSecret", { ...ONE_SECRET, SecretString: "x".repeat(65_537) }, "ValidationException"],
      [
        "CreateSecret",
        { ...ONE_SECRET, Tags: many(51, (i) => ({ Key: `k${i}`, Value: "" })) },
        "LimitExceededException",
      ],
    ],
  },
  sqs: {
    ...JSON_ROW,
    call: ["ListQueues"],
    malformed: all([...BROKEN_JSON, deepJson("QueueNamePrefix")], "SerializationException"),
    tooMany: [
      [
        "SendMessageBatch",
        {
          QueueUrl: "http://localhost/000000000000/work",
          Entries: many(11, (i) => ({ Id: `${i}`, MessageBody: "x" })),
        },
        "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
      ],
      [
        "SendMessageBatch",
        {
          QueueUrl: "http://localhost/000000000000/work",
          Entries: many(2, (i) => ({ Id: `${i}`, MessageBody: "x".repeat(600 * 1024) })),
        },
        "AWS.SimpleQueueService.BatchRequestTooLong",
      ],
      [
        "SendMessage",
        { QueueUrl: "http://localhost/000000000000/work", MessageBody: "x".repeat(1024 * 1024 + 1) },
        "InvalidParameterValue",
      ],
    ],
  },
  dynamodb: {
    ...JSON_ROW,
    call: ["ListTables"],
    malformed: [
      ...all([...BROKEN_JSON, '{"Limit":"many"}'], "SerializationException"),
      ['{"Limit":101}', "ValidationException"],
    ],
    tooMany: [
      [
        "PutItem",
        { TableName: "notes", Item: { id: { S: "1" }, text: { S: "x".repeat(400 * 1024) } } },
        "ValidationException",
      ],
      ["PutItem", { TableName: "notes", Item: { id: { S: "1" }, deep: nested(33) } }, "ValidationException"],
      ["PutItem", { TableName: "notes", Item: { id: { S: "1" }, deep: nested(500) } }, "SerializationException"],
    ],
  },
  sns: {
    ...QUERY_ROW,
    call: ["ListTopics"],
    malformed: [
      ["", "MissingAction"],
      ["Action=Subscribe&ReturnSubscriptionArn=x", "MalformedInput"],
    ],
    tooMany: [
      ["CreateTopic", { Name: "news", Tags: many(51, (i) => ({ Key: `k${i}`, Value: "" })) }, "TagLimitExceeded"],
    ],
  },
  sts: {
    ...QUERY_ROW,
    call: ["GetCallerIdentity"],
    malformed: [
      ["", "MissingAction"],
      ["Action=AssumeRole&DurationSeconds=x", "MalformedInput"],
    ],
    tooMany: [
      [
        "AssumeRole",
        {
          RoleArn: "arn:aws:iam::000000000000:role/a",
          RoleSessionName: "me",
          Tags: many(51, (i) => ({ Key: `k${i}`, Value: "v" })),
        },
        "ValidationError",
      ],
    ],
  },
  iam: {
    ...QUERY_ROW,
    call: ["ListRoles"],
    malformed: [
      ["", "MissingAction"],
      ["Action=ListRoles&MaxItems=x", "MalformedInput"],
    ],
    tooMany: [
      ["ListRoles", { MaxItems: 1001 }, "ValidationError"],
      ["TagRole", { RoleName: "a", Tags: many(51, (i) => ({ Key: `k${i}`, Value: "" })) }, "ValidationError"],
      ["CreateRole", { RoleName: "x".repeat(65), AssumeRolePolicyDocument: "{}" }, "ValidationError"],
    ],
  },
  elbv2: {
    ...QUERY_ROW,
    call: ["DescribeLoadBalancers"],
    malformed: [
      ["", "MissingAction"],
      ["Action=DescribeLoadBalancers&PageSize=x", "MalformedInput"],
    ],
    tooMany: [
      ["DescribeTags", { ResourceArns: many(21, (i) => `arn:${i}`) }, "ValidationError"],
      ["DescribeLoadBalancers", { PageSize: 401 }, "ValidationError"],
    ],
  },
  rds: {
    ...QUERY_ROW,
    call: ["DescribeDBInstances"],
    malformed: [
      ["", "MissingAction"],
      ["Action=DescribeDBInstances&MaxRecords=x", "MalformedInput"],
    ],
    tooMany: [["DescribeDBInstances", { MaxRecords: 101 }, "InvalidParameterValue"]],
  },
  ec2: {
    ...QUERY_ROW,
    call: ["DescribeVpcs"],
    malformed: [
      ["", "MissingAction"],
      ["Action=DescribeVpcs&MaxResults=x", "InvalidParameterValue"],
    ],
    wrongSignature: ["AuthFailure", 401],
    unknownKey: ["AuthFailure", 401],
    late: "RequestExpired",
    unsigned: "MissingParameter",
    changedBody: ["AuthFailure", 401],
    tooMany: [
      [
        "RunInstances",
        { ImageId: "ami-0a1b2c3d4e5f60001", InstanceType: "t3.micro", MinCount: 100_000, MaxCount: 100_000 },
        "InstanceLimitExceeded",
      ],
      ["DescribeInstances", { MaxResults: 1001 }, "InvalidParameterValue"],
    ],
  },
  route53: {
    ...QUERY_ROW,
    call: ["CreateHostedZone", { Name: "a.example", CallerReference: "1" }],
    malformed: all(BROKEN_XML, "MalformedInput"),
    unknownOperation: ["UnknownOperationException", 404],
    tooMany: [
      [
        "ChangeResourceRecordSets",
        {
          HostedZoneId: "ZONE",
          ChangeBatch: {
            Changes: many(1001, (i) => ({
              Action: "CREATE",
              ResourceRecordSet: {
                Name: `h${i}.a.example`,
                Type: "A",
                TTL: 1,
                ResourceRecords: [{ Value: "10.0.0.1" }],
              },
            })),
          },
        },
        "InvalidChangeBatch",
      ],
      ["ListTagsForResources", { ResourceType: "hostedzone", ResourceIds: many(11, (i) => `Z${i}`) }, "InvalidInput"],
    ],
  },
  s3: {
    ...QUERY_ROW,
    call: ["PutBucketTagging", { Bucket: "files", Tagging: { TagSet: [{ Key: "a", Value: "b" }] } }],
    malformed: all(BROKEN_XML, "MalformedXML"),
    unknownOperation: ["MethodNotAllowed", 405],
    unknownKey: ["InvalidAccessKeyId", 403],
    late: ["RequestTimeTooSkewed", 403],
    unsigned: ["AccessDenied", 403],
    changedBody: "XAmzContentSHA256Mismatch",
    tooLarge: "EntityTooLarge",
    tooMany: [
      ["DeleteObjects", { Bucket: "files", Delete: { Objects: many(1001, (i) => ({ Key: `${i}` })) } }, "MalformedXML"],
      [
        "PutBucketTagging",
        { Bucket: "files", Tagging: { TagSet: many(51, (i) => ({ Key: `${i}`, Value: "" })) } },
        "BadRequest",
      ],
    ],
  },
};

async function wholeCloud() {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 0, lag: false } };
  const faults: unknown[] = [];
  const { all: services, issued } = composeServices(world);
  const aws = await createLocalAws({
    world,
    services,
    issued,
    limits: "off",
    onFault: (error) => void faults.push(error),
  });
  const client = new SampleClient(aws, clock);
  await client.call("s3", "CreateBucket", {
    Bucket: "files",
    CreateBucketConfiguration: { LocationConstraint: "eu-west-1" },
  });
  await client.call("sqs", "CreateQueue", { QueueName: "work" });
  await client.call("dynamodb", "CreateTable", {
    TableName: "notes",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const { output } = await client.call("route53", "CreateHostedZone", { Name: "a.example", CallerReference: "0" });
  const zone = (output["HostedZone"] as { readonly Id: string }).Id.replace("/hostedzone/", "");
  return { aws, clock, client, faults, zone };
}

const LARGEST = 8 * 1024 * 1024;

for (const [name, row] of Object.entries(ROWS) as [ServiceName, Row][]) {
  test(`${name}: whatever is wrong with a request is told in its words, and the next one is answered`, async () => {
    const { aws, clock, client, faults, zone } = await wholeCloud();
    const model = await loadModel(name);
    const [operation, input = {}] = row.call;
    const request = codecOf(model).encodeRequest(model, operation, input);
    const never = new AbortController().signal;
    const told = async (
      what: string,
      answer: Promise<{ readonly code: string; readonly status: number }>,
      expected: Refusal,
    ) => {
      const { code, status } = await answer;
      assert.deepEqual([code, status], typeof expected === "string" ? [expected, 400] : expected, what);
      assert.deepEqual(faults, [], what);
    };
    const sent = async (by: SampleClient, wire: WireRequest) => by.read(name, operation, await by.send(name, wire));
    const handled = async (wire: WireRequest) => client.read(name, operation, await aws.handle(wire, never));
    const headers = { host: "localhost:4566", ...request.headers };
    const signed = (change: Partial<Parameters<typeof signRequest>[0]> = {}): Record<string, string> =>
      signRequest({
        ...request,
        headers,
        credentials: { accessKeyId: "test", secretAccessKey: "test" },
        region: "eu-west-1",
        service: model.signingName,
        now: clock.now(),
        ...change,
      });

    for (const [body, refusal] of row.malformed) {
      await told(`malformed ${body.slice(0, 40)}`, sent(client, { ...request, body: Buffer.from(body) }), refusal);
    }
    const unknown = { "x-amz-target": `${model.targetPrefix}.constructor` };
    await told(
      "an operation that there is not",
      sent(client, {
        ...request,
        method: model.protocol === "rest-xml" ? "PATCH" : request.method,
        headers: { ...request.headers, ...(model.protocol === "json" && unknown) },
        body: /query|ec2/.test(model.protocol) ? Buffer.from("Action=constructor&Version=1") : request.body,
      }),
      row.unknownOperation,
    );
    await told("unsigned", handled({ ...request, headers }), row.unsigned);
    const liar = { accessKeyId: "test", secretAccessKey: "wrong" };
    await told("wrong secret", handled({ ...request, headers: signed({ credentials: liar }) }), row.wrongSignature);
    const nobody = { accessKeyId: "AKIANOBODY", secretAccessKey: "test" };
    await told("unknown key", handled({ ...request, headers: signed({ credentials: nobody }) }), row.unknownKey);
    for (const minutes of [-16, 16]) {
      const now = clock.now() + minutes * 60_000;
      await told(`${minutes} minutes off`, handled({ ...request, headers: signed({ now }) }), row.late);
    }
    const changed = Buffer.concat([request.body, Buffer.from(" ")]);
    await told("changed on its way", handled({ ...request, headers: signed(), body: changed }), row.changedBody);
    const large = Buffer.alloc((name === "s3" ? 32 : 1) * LARGEST + 1);
    await told("too large", handled({ ...request, headers: signed(), body: large }), row.tooLarge);
    for (const [other, more, refusal] of row.tooMany) {
      const id = "HostedZoneId" in more ? { HostedZoneId: zone } : {};
      await told(`too much for ${other}`, client.call(name, other, { ...more, ...id }), refusal);
    }
    assert.equal((await client.call(name, ...row.call)).code, "OK");
  });
}
