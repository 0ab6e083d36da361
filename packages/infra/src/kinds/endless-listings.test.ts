import assert from "node:assert/strict";
import { test } from "node:test";
import { createAws, staticCredentials } from "@gatewright/aws";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { anyKind } from "../engine/aws-kind.ts";
import { searchByTags } from "../engine/search.ts";
import type { Ground } from "../engine/session.ts";
import { dynamodbTable } from "./dynamodb-table/index.ts";
import { findMachines } from "./ec2-instance/read.ts";
import { attachedTo, inlineNames, profilesWith } from "./iam-role/read.ts";
import { readDatabases } from "./rds-instance/calls.ts";
import { snsTopic } from "./sns-topic/index.ts";
import { sqsQueue } from "./sqs-queue/index.ts";

/** Enough for whoever stops by itself; nobody else would end. */
const MOST_CALLS = 20;

/** An endpoint of somebody's that says to every request that there is more. */
function endless(answer: (asked: string) => string): { readonly ground: Ground; readonly calls: () => number } {
  let calls = 0;
  const stopping = new AbortController();
  const aws = createAws({
    region: "eu-west-1",
    credentials: staticCredentials({ accessKeyId: "a", secretAccessKey: "b" }),
    clock: new ManualClock(),
    random: seededRandom(1),
    send: async (_endpoint, { body, headers }) => {
      if (++calls > MOST_CALLS) stopping.abort(new Error("it does not end"));
      const asked = `${headers["x-amz-target"] ?? ""} ${Buffer.from(body).toString()}`;
      return { status: 200, headers: {}, body: Buffer.from(answer(asked)) };
    },
  });
  const place = { key: "k", account: "000000000000", region: "eu-west-1", partition: "aws", defaultTags: {} };
  return { ground: { ...place, aws, signal: stopping.signal }, calls: () => calls };
}

const xml = (operation: string, inner: string): string =>
  `<${operation}Response><${operation}Result>${inner}</${operation}Result></${operation}Response>`;
const roles = (asked: string): string => {
  const operation = /Action=(\w+)/.exec(asked)?.[1] ?? "";
  return xml(operation, "<PolicyNames/><InstanceProfiles/><IsTruncated>true</IsTruncated><Marker>m</Marker>");
};

const READS: readonly (readonly [string, (asked: string) => string, (ground: Ground) => Promise<unknown>])[] = [
  ["attached policies", roles, (ground) => attachedTo(ground, "web")],
  ["inline policies", roles, (ground) => inlineNames(ground, "web")],
  ["instance profiles", roles, (ground) => profilesWith(ground, "web")],
  [
    "tags of a table",
    (asked) =>
      asked.includes("DescribeTable")
        ? '{"Table":{"TableName":"web","TableStatus":"ACTIVE","TableArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/web"}}'
        : '{"Tags":[],"NextToken":"t"}',
    (ground) => dynamodbTable.read(ground, "web", new Set()),
  ],
  [
    "subscriptions",
    (asked) =>
      xml(/Action=(\w+)/.exec(asked)?.[1] ?? "", asked.includes("ListSubscriptions") ? "<NextToken>t</NextToken>" : ""),
    (ground) => snsTopic.read(ground, "web", new Set(["subscriptions"])),
  ],
  [
    "instances",
    () => "<DescribeInstancesResponse><reservationSet/><nextToken>t</nextToken></DescribeInstancesResponse>",
    (ground) => findMachines(ground, "a", "b"),
  ],
  [
    "databases",
    () => xml("DescribeDBInstances", "<DBInstances/><Marker>m</Marker>"),
    (ground) => readDatabases(ground, ["web"]),
  ],
  [
    "resources by tags",
    () => '{"ResourceTagMappingList":[],"PaginationToken":"t"}',
    (ground) => searchByTags(anyKind(sqsQueue), ground, { a: "b" }),
  ],
];

for (const [what, answer, read] of READS) {
  test(`a listing of ${what} that does not end is given up`, async () => {
    const { ground, calls } = endless(answer);
    await assert.rejects(read(ground), { name: "AwsCallError", kind: "retry", code: "MalformedAnswer" });
    assert.ok(calls() < 8, `${calls()} calls`);
  });
}
