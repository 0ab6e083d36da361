import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModel } from "@gatewright/aws-wire";
import type { ServiceName } from "@gatewright/aws-wire";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Call } from "../call.ts";
import { createLocalAws } from "../http/local-aws.ts";
import { service } from "../service.ts";
import { SampleClient } from "../testing/sample-client.ts";
import { bucketsOf } from "./buckets-of.ts";
import { Limiter } from "./limiter.ts";
import { AWS_LIMITS } from "./service-limits.ts";

/** Operations that share a bucket: how many pass at once, and how many more in how many milliseconds. */
interface Family {
  readonly service: ServiceName;
  readonly name: string;
  /** Space between them. Empty: all of the service that no other family has. */
  readonly operations: string;
  readonly burst: number;
  readonly more: number;
  readonly inMs: number;
  readonly input?: object;
  /** Each of them has the rate for itself. */
  readonly apart?: true;
}

const families = (service: ServiceName, ...rows: readonly (readonly [string, number, number, number, string])[]) =>
  rows.map(([name, burst, more, inMs, operations]): Family => ({ service, name, burst, more, inMs, operations }));
/** Operations that have the same rates, each for itself. */
const apart = (
  service: ServiceName,
  name: string,
  burst: number,
  more: number,
  operations: string,
  input = {},
): Family[] => [{ service, name, burst, more, inMs: 1000, operations, apart: true, input }];
const batch = (Action: string, count: number): object => ({
  ChangeBatch: { Changes: Array.from({ length: count }, () => ({ Action })) },
});

/** The figures of the table once more, from where AWS publishes them. */
const FAMILIES: readonly Family[] = [
  ...families(
    "elbv2",
    ["registration", 20, 4, 1000, "RegisterTargets DeregisterTargets"],
    ["resource intensive", 10, 1, 5000, "CreateLoadBalancer DeleteLoadBalancer SetSubnets"],
    [
      "mutating",
      20,
      3,
      1000,
      "AddListenerCertificates AddTags CreateListener CreateRule CreateTargetGroup DeleteListener DeleteRule DeleteTargetGroup " +
        "ModifyListener ModifyListenerAttributes ModifyLoadBalancerAttributes ModifyRule ModifyTargetGroup " +
        "ModifyTargetGroupAttributes RemoveListenerCertificates RemoveTags SetIpAddressType SetRulePriorities SetSecurityGroups",
    ],
    ["all others", 40, 10, 1000, ""],
  ),
  ...["DescribeCertificate", "DeleteCertificate", "GetCertificate", "ExportCertificate", "ListTagsForCertificate"].map(
    (name) => ({ service: "acm", name, operations: name, burst: 10, more: 10, inMs: 1000 }) as const,
  ),
  ...[
    ..."RequestCertificate SearchCertificates AddTagsToCertificate RemoveTagsFromCertificate".split(" "),
    ..."TagResource UntagResource RenewCertificate UpdateCertificateOptions".split(" "),
  ].map((name) => ({ service: "acm", name, operations: name, burst: 5, more: 5, inMs: 1000 }) as const),
  ...families(
    "acm",
    ["ListCertificates", 8, 8, 1000, "ListCertificates"],
    ["ImportCertificate", 1, 1, 1000, "ImportCertificate"],
    ["all others", 5, 5, 1000, ""],
  ),
  ...families(
    "route53",
    ["CreateHostedZone", 40, 2, 1000, "CreateHostedZone"],
    ["DeleteHostedZone", 40, 5, 1000, "DeleteHostedZone"],
    ["AssociateVPCWithHostedZone", 20, 5, 1000, "AssociateVPCWithHostedZone"],
    ["DisassociateVPCFromHostedZone", 10, 5, 1000, "DisassociateVPCFromHostedZone"],
    ["all others", 50, 10, 1000, ""],
  ),
  {
    service: "route53",
    name: "batches of 100 records",
    operations: "ChangeResourceRecordSets",
    burst: 15,
    more: 1,
    inMs: 1000,
    input: batch("CREATE", 100),
  },
  {
    service: "route53",
    name: "batches of 50 replaced records",
    operations: "ChangeResourceRecordSets",
    burst: 15,
    more: 1,
    inMs: 1000,
    input: batch("UPSERT", 50),
  },
  ...families(
    "ec2",
    ["launches", 5, 2, 1000, "RunInstances"],
    ["starts", 5, 2, 1000, "StartInstances"],
    ["stops", 50, 5, 1000, "StopInstances"],
    ["ends", 100, 5, 1000, "TerminateInstances"],
  ),
  ...apart(
    "ec2",
    "of everything there is",
    50,
    10,
    "DescribeInstances DescribeInstanceStatus DescribeSecurityGroups DescribeVolumes",
  ),
  ...apart(
    "ec2",
    "of what is asked for",
    100,
    20,
    "DescribeInstances DescribeInstanceStatus DescribeSecurityGroups DescribeVolumes",
    {
      Filters: [{ Name: "tag:team", Values: ["web"] }],
    },
  ),
  ...apart(
    "ec2",
    "non-mutating",
    100,
    20,
    "DescribeAddresses DescribeAvailabilityZones DescribeIamInstanceProfileAssociations DescribeImages " +
      "DescribeInstanceAttribute DescribeInstanceTypes DescribeKeyPairs DescribeRegions DescribeSubnets DescribeTags " +
      "DescribeVolumesModifications DescribeVpcs",
  ),
  ...apart("ec2", "tags", 100, 10, "CreateTags DeleteTags"),
  ...apart(
    "ec2",
    "uncategorized",
    100,
    5,
    "AssociateIamInstanceProfile DisassociateIamInstanceProfile ModifyInstanceMetadataOptions",
  ),
  ...apart("ec2", "all others", 50, 5, ""),
  {
    service: "ec2",
    name: "launches of 250 instances",
    operations: "RunInstances",
    burst: 4,
    more: 1,
    inMs: 125_000,
    input: { MinCount: 1, MaxCount: 250 },
  },
  {
    service: "ec2",
    name: "ends of 500 instances",
    operations: "TerminateInstances",
    burst: 2,
    more: 1,
    inMs: 25_000,
    input: { InstanceIds: Array.from({ length: 500 }, (_, i) => `i-${i}`) },
  },
  ...families(
    "rds",
    [
      "describing",
      100,
      20,
      1000,
      "DescribeDBEngineVersions DescribeDBInstances DescribeDBParameterGroups DescribeDBSnapshots DescribeDBSubnetGroups " +
        "DescribeOrderableDBInstanceOptions ListTagsForResource",
    ],
    ["all others", 50, 5, 1000, ""],
  ),
  ...families(
    "iam",
    [
      "reading",
      100,
      20,
      1000,
      "GetInstanceProfile GetPolicy GetRole GetRolePolicy ListAttachedRolePolicies ListInstanceProfilesForRole ListPolicies " +
        "ListRolePolicies ListRoleTags ListRoles",
    ],
    ["all others", 50, 10, 1000, ""],
  ),
  ...families(
    "ecr",
    ["BatchGetImage", 2000, 2000, 1000, "BatchGetImage"],
    ["GetAuthorizationToken", 500, 500, 1000, "GetAuthorizationToken"],
    ["PutImage", 10, 10, 1000, "PutImage"],
    [
      "reading",
      100,
      20,
      1000,
      "DescribeImages DescribeRepositories GetLifecyclePolicy GetRepositoryPolicy ListImages ListTagsForResource",
    ],
    ["all others", 50, 10, 1000, ""],
  ),
  ...families(
    "secretsmanager",
    ["reading", 10_000, 10_000, 1000, "DescribeSecret GetSecretValue"],
    ["policies", 50, 50, 1000, "DeleteResourcePolicy GetResourcePolicy PutResourcePolicy"],
    ["writing", 50, 50, 1000, "PutSecretValue UpdateSecret UpdateSecretVersionStage"],
    ["rotation", 50, 50, 1000, "RotateSecret CancelRotateSecret"],
    ["tags", 50, 50, 1000, "TagResource UntagResource"],
    ["BatchGetSecretValue", 100, 100, 1000, "BatchGetSecretValue"],
    ["ListSecrets", 100, 100, 1000, "ListSecrets"],
  ),
  ...["CreateSecret", "DeleteSecret", "RestoreSecret", "GetRandomPassword", "ListSecretVersionIds"].map(
    (name) => ({ service: "secretsmanager", name, operations: name, burst: 50, more: 50, inMs: 1000 }) as const,
  ),
  ...families("sqs", ["all", 3000, 3000, 1000, ""]),
  ...["CreateTopic", "DeleteTopic", "ListTopics", "ListSubscriptions", "ListSubscriptionsByTopic"].map(
    (name) => ({ service: "sns", name, operations: name, burst: 30, more: 30, inMs: 1000 }) as const,
  ),
  ...["Subscribe", "Unsubscribe"].map(
    (name) => ({ service: "sns", name, operations: name, burst: 100, more: 100, inMs: 1000 }) as const,
  ),
  ...["TagResource", "UntagResource", "ListTagsForResource"].map(
    (name) => ({ service: "sns", name, operations: name, burst: 10, more: 10, inMs: 1000 }) as const,
  ),
  ...families("sns", ["publishing", 9000, 9000, 1000, "Publish PublishBatch"], ["all others", 30, 30, 1000, ""]),
  ...families(
    "dynamodb",
    [
      "tables",
      2500,
      2500,
      1000,
      "CreateTable DeleteTable UpdateTable ListTables DescribeTable DescribeContinuousBackups DescribeLimits " +
        "DescribeTimeToLive UpdateContinuousBackups UpdateTimeToLive",
    ],
    ["ListTagsOfResource", 10, 10, 1000, "ListTagsOfResource"],
    ["items", 40_000, 40_000, 1000, ""],
  ),
  ...apart("dynamodb", "tags", 5, 5, "TagResource UntagResource"),
  ...families(
    "s3",
    ["buckets", 100, 10, 1000, "CreateBucket DeleteBucket ListBuckets"],
    ["all others", 3500, 3500, 1000, ""],
  ),
  ...families("sts", ["all", 600, 600, 1000, ""]),
  ...families("tagging", ["GetResources", 15, 15, 1000, "GetResources"]),
  ...["TagResources", "UntagResources", "GetTagKeys", "GetTagValues"].map(
    (name) => ({ service: "tagging", name, operations: name, burst: 5, more: 5, inMs: 1000 }) as const,
  ),
];

const HOUR = 3_600_000;

async function operationsOf({ service, operations }: Family): Promise<readonly string[]> {
  if (operations !== "") return operations.split(" ");
  const named = new Set(FAMILIES.flatMap((each) => (each.service === service ? each.operations.split(" ") : [])));
  return Object.keys((await loadModel(service)).operations).filter((name) => !named.has(name));
}

const asked = ({ service, input = {} }: Family, operation: string): Call => ({
  service,
  operation,
  account: "000000000000",
  region: "eu-west-1",
  accessKeyId: "test",
  input,
});

/** How many of these calls pass, one after the other, until one does not. */
function passing(limiter: Limiter, call: Call): number {
  let count = 0;
  while (limiter.admit(call)) count++;
  return count;
}

for (const family of FAMILIES) {
  const { service, name, burst, more, inMs } = family;
  test(`${service}, ${name}: ${burst} calls at once, then ${more} in ${inMs} ms, ${family.apart === true ? "for each of the family" : "for all of the family together"}`, async () => {
    const clock = new ManualClock();
    const limiter = new Limiter(clock, AWS_LIMITS);
    const operations = await operationsOf(family);
    const [first = ""] = operations;
    assert.notEqual(first, "");
    assert.equal(passing(limiter, asked(family, first)), burst);
    for (const other of operations) {
      assert.equal(limiter.admit(asked(family, other)), family.apart === true && other !== first, other);
    }
    clock.advance(inMs - 1);
    assert.ok(passing(limiter, asked(family, first)) < more);
    for (const operation of operations.slice(0, 2)) {
      clock.advance(HOUR);
      assert.equal(passing(limiter, asked(family, operation)), burst);
      clock.advance(inMs);
      assert.equal(passing(limiter, asked(family, operation)), more);
      clock.advance(3 * inMs);
      assert.equal(passing(limiter, asked(family, operation)), Math.min(burst, 3 * more));
    }
  });
}

test("every operation that is served has a family, and every family that has a rate is in this table", async () => {
  for (const [name, limits = assert.fail()] of Object.entries(AWS_LIMITS)) {
    const own = FAMILIES.filter(({ service }) => service === name);
    const byFamily = new Map(
      await Promise.all(own.map(async (family) => [family, await operationsOf(family)] as const)),
    );
    const listedOf = (family: Family): readonly string[] => byFamily.get(family) ?? [];
    const listed = own.flatMap(listedOf);
    const { operations } = await loadModel(name as ServiceName);
    assert.deepEqual([...new Set(listed)].toSorted(), Object.keys(operations).toSorted());
    const met = new Set(
      own.flatMap((family) =>
        listedOf(family).flatMap((operation) =>
          bucketsOf(limits, operation, family.input ?? {}).map((rule) => rule.name),
        ),
      ),
    );
    assert.deepEqual([...met].toSorted(), limits.buckets.map((rule) => rule.name).toSorted());
  }
});

/** What each service says when it is asked too often: code and status. */
const REFUSALS: Readonly<Record<ServiceName, readonly [string, number]>> = {
  acm: ["ThrottlingException", 400],
  dynamodb: ["ThrottlingException", 400],
  ec2: ["RequestLimitExceeded", 503],
  ecr: ["ThrottlingException", 400],
  elbv2: ["Throttling", 400],
  iam: ["Throttling", 400],
  rds: ["Throttling", 400],
  route53: ["Throttling", 400],
  s3: ["SlowDown", 503],
  secretsmanager: ["ThrottlingException", 400],
  sns: ["ThrottlingException", 400],
  sqs: ["RequestThrottled", 403],
  sts: ["Throttling", 400],
  tagging: ["ThrottledException", 400],
};

for (const [name, [code, status]] of Object.entries(REFUSALS) as [ServiceName, readonly [string, number]][]) {
  test(`${name}: who calls too often is told ${code} with ${status} until time has passed`, async () => {
    const clock = new ManualClock();
    const aws = await createLocalAws({
      world: { clock, random: seededRandom() },
      services: [service<object>(name, {})],
      onFault: (error) => assert.fail(String(error)),
    });
    const client = new SampleClient(aws, clock);
    const own = FAMILIES.filter((each) => each.service === name);
    const least = Math.min(...own.map(({ burst }) => burst));
    for (const family of own.filter(({ burst }) => burst <= Math.max(100, least))) {
      const [operation = ""] = await operationsOf(family);
      const input = {
        Bucket: "bucket",
        Key: "key",
        HostedZoneId: "Z1",
        Id: "Z1",
        ResourceType: "hostedzone",
        ...family.input,
      };
      const call = () => client.call(name, operation, input);
      clock.advance(HOUR);
      for (let i = 0; i < family.burst; i++) assert.notEqual((await call()).code, code);
      const { message, ...told } = await call();
      assert.deepEqual([told.code, told.status], [code, status]);
      assert.match(message, /exceed|reduce your request rate/);
      clock.advance(family.inMs);
      assert.notEqual((await call()).code, code);
    }
  });
}
