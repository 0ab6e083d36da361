import assert from "node:assert/strict";
import { test } from "node:test";
import type { CreateTableInput, Operations, TableDescription } from "@gatewright/aws-wire/types/dynamodb";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createDynamoDb } from "./create-dynamodb.ts";

const TableName = "orders";
const ARN = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";
const HOUR = 3_600_000;
const WANTED: CreateTableInput = {
  TableName,
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
};
const define = (...names: readonly string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: "S" }));
const index = (IndexName: string, ...names: readonly string[]) => ({
  IndexName,
  KeySchema: names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" })),
  Projection: { ProjectionType: "ALL" },
});
const units = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({ ReadCapacityUnits, WriteCapacityUnits });

function setUp({ lag = false } = {}) {
  const world = testWorld({ lag });
  const dynamodb = createDynamoDb(world);
  const call = serviceCaller<Operations>(dynamodb.service, { region: "eu-west-1" });
  const seen = async (): Promise<TableDescription> => (await call("DescribeTable", { TableName })).Table ?? {};
  const status = async () => (await seen()).TableStatus;
  const update = async (input: object) => {
    await call("UpdateTable", { TableName, ...input });
    world.clock.advance(60_000);
  };
  return { ...dynamodb, world, call, seen, status, update };
}

async function active(more: object = {}) {
  const set = setUp();
  await set.call("CreateTable", { ...WANTED, ...more });
  set.world.clock.advance(8_000);
  return set;
}

test("a table is being created for a while, then active, and after its deletion gone", async () => {
  const { world, call, status, seen } = setUp();
  const { TableDescription: made } = await call("CreateTable", WANTED);
  assert.deepEqual([made?.TableStatus, made?.TableArn], ["CREATING", ARN]);
  const inUse = refusal("ResourceInUseException");
  await assert.rejects(call("CreateTable", WANTED), inUse);
  await assert.rejects(call("DeleteTable", { TableName }), inUse);
  await assert.rejects(call("UpdateTable", { TableName, DeletionProtectionEnabled: true }), inUse);
  await assert.rejects(call("GetItem", { TableName, Key: { id: { S: "1" } } }), refusal("ResourceNotFoundException"));
  world.clock.advance(8_000);
  assert.equal(await status(), "ACTIVE");
  await assert.rejects(call("CreateTable", WANTED), inUse);
  const { TableDescription: dying } = await call("DeleteTable", { TableName });
  assert.equal(dying?.TableStatus, "DELETING");
  await call("DeleteTable", { TableName });
  await assert.rejects(call("CreateTable", WANTED), inUse);
  world.clock.advance(6_000);
  await assert.rejects(seen(), refusal("ResourceNotFoundException"));
  assert.deepEqual((await call("ListTables", {})).TableNames, []);
  await call("CreateTable", WANTED);
});

test("while a table comes or goes, neither its tags are told nor when its items end", async () => {
  const { world, call } = setUp();
  const [invalid, absent] = [refusal("ValidationException"), refusal("ResourceNotFoundException")];
  const untold = async () => {
    await assert.rejects(call("DescribeTimeToLive", { TableName }), invalid);
    await assert.rejects(call("ListTagsOfResource", { ResourceArn: ARN }), absent);
  };
  await call("CreateTable", WANTED);
  await untold();
  await assert.rejects(call("DescribeContinuousBackups", { TableName }), refusal("TableNotFoundException"));
  world.clock.advance(3_000);
  await call("DescribeContinuousBackups", { TableName });
  await untold();
  world.clock.advance(5_000);
  await call("ListTagsOfResource", { ResourceArn: ARN });
  await call("DeleteTable", { TableName });
  await untold();
});

test("where reads lag, a table is not seen at once", async () => {
  const { world, call, status } = setUp({ lag: true });
  await call("CreateTable", WANTED);
  await assert.rejects(status(), refusal("ResourceNotFoundException"));
  world.clock.advance(2_000);
  assert.equal(await status(), "CREATING");
});

test("keys, indexes and definitions of attributes must fit together", async () => {
  const { call } = setUp();
  const refused = async (change: object, why: RegExp) =>
    assert.rejects(call("CreateTable", { ...WANTED, ...change }), (error: Error) => {
      refusal("ValidationException")(error);
      assert.match(error.message, why);
      return true;
    });
  await refused({ AttributeDefinitions: define("id", "more") }, /does not exactly match number/);
  await refused({ AttributeDefinitions: define("other") }, /not defined in AttributeDefinitions/);
  await refused({ AttributeDefinitions: define("id", "id") }, /two attributes with the same name/);
  await refused({ KeySchema: [{ AttributeName: "id", KeyType: "RANGE" }] }, /not a HASH key type/);
  await refused({ GlobalSecondaryIndexes: [index("by-who", "who")] }, /not defined/);
  await refused(
    { GlobalSecondaryIndexes: [index("by-id", "id")], AttributeDefinitions: define("id", "x") },
    /not used/,
  );
  await refused({ GlobalSecondaryIndexes: [index("by-id", "id"), index("by-id", "id")] }, /Duplicate index name/);
  await refused(
    { LocalSecondaryIndexes: [index("by-who", "id", "who")], AttributeDefinitions: define("id", "who") },
    /does not have a range key/,
  );
  await refused({ GlobalSecondaryIndexes: [{ ...index("by-id", "id"), Projection: {} }] }, /ProjectionType/);
  await refused(
    { GlobalSecondaryIndexes: [{ ...index("by-id", "id"), ProvisionedThroughput: units(1, 1) }] },
    /should not be specified for index/,
  );
  await refused({ BillingMode: "PROVISIONED" }, /must both be specified/);
  await refused({ ProvisionedThroughput: units(1, 1) }, /Neither ReadCapacityUnits/);
  const none = { OnDemandThroughput: { MaxReadRequestUnits: 5, MaxWriteRequestUnits: -1 } };
  await refused(none, /at least 1/);
  await refused({ GlobalSecondaryIndexes: [{ ...index("by-id", "id"), ...none }] }, /at least 1/);
  await refused({ TableName: "a" }, /at least 3/);
  await refused({ Tags: [{ Key: "aws:x", Value: "" }] }, /Reserved/);
});

test("how a table is paid for can be changed, for its indexes too, four times a day", async () => {
  const { world, call, seen, update } = await active({ GlobalSecondaryIndexes: [index("by-id", "id")] });
  assert.equal((await seen()).BillingModeSummary?.BillingMode, "PAY_PER_REQUEST");
  const invalid = refusal("ValidationException");
  await assert.rejects(update({ BillingMode: "PROVISIONED" }), invalid);
  await assert.rejects(update({ BillingMode: "PROVISIONED", ProvisionedThroughput: units(5, 5) }), invalid);
  const provisioned = {
    BillingMode: "PROVISIONED",
    ProvisionedThroughput: units(5, 5),
    GlobalSecondaryIndexUpdates: [{ Update: { IndexName: "by-id", ProvisionedThroughput: units(2, 2) } }],
  };
  for (let i = 0; i < 3; i++) {
    await update(provisioned);
    await update({ BillingMode: "PAY_PER_REQUEST" });
  }
  await update(provisioned);
  const { ProvisionedThroughput, GlobalSecondaryIndexes } = await seen();
  assert.equal(ProvisionedThroughput?.ReadCapacityUnits, 5);
  assert.equal(GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput?.ReadCapacityUnits, 2);
  await assert.rejects(update({ BillingMode: "PAY_PER_REQUEST" }), refusal("LimitExceededException"));
  world.clock.advance(24 * HOUR);
  await update({ BillingMode: "PAY_PER_REQUEST" });
  await assert.rejects(update({}), invalid);
  await assert.rejects(call("UpdateTable", { TableName: "other" }), refusal("ResourceNotFoundException"));
});

test("throughput can be made smaller four times a day, and then once an hour", async () => {
  const { world, update, seen } = await active({ BillingMode: "PROVISIONED", ProvisionedThroughput: units(10, 10) });
  for (let read = 9; read > 5; read--) await update({ ProvisionedThroughput: units(read, 10) });
  await assert.rejects(update({ ProvisionedThroughput: units(5, 10) }), refusal("LimitExceededException"));
  await update({ ProvisionedThroughput: units(7, 10) });
  await assert.rejects(update({ ProvisionedThroughput: units(7, 10) }), refusal("ValidationException"));
  world.clock.advance(HOUR);
  await update({ ProvisionedThroughput: units(5, 10) });
  assert.equal((await seen()).ProvisionedThroughput?.NumberOfDecreasesToday, 5);
});

test("one index at a time is made or removed, and what it needs of attributes comes and goes with it", async () => {
  const { world, call, seen, update } = await active();
  const create = (name: string, attribute: string) => ({ Create: index(name, attribute) });
  await assert.rejects(
    update({
      AttributeDefinitions: define("id", "who", "when"),
      GlobalSecondaryIndexUpdates: [create("by-who", "who"), create("by-when", "when")],
    }),
    refusal("LimitExceededException"),
  );
  const byWho = {
    AttributeDefinitions: define("id", "who"),
    GlobalSecondaryIndexUpdates: [create("by-who", "who")],
  };
  await call("UpdateTable", { TableName, ...byWho });
  world.clock.advance(30_000);
  const during = await seen();
  assert.deepEqual([during.TableStatus, during.GlobalSecondaryIndexes?.[0]?.IndexStatus], ["UPDATING", "CREATING"]);
  await assert.rejects(call("UpdateTable", { TableName, ...byWho }), refusal("ResourceInUseException"));
  world.clock.advance(30_000);
  const after = await seen();
  assert.deepEqual([after.TableStatus, after.GlobalSecondaryIndexes?.[0]?.IndexStatus], ["ACTIVE", "ACTIVE"]);
  assert.deepEqual(after.AttributeDefinitions, define("id", "who"));
  await call("UpdateTable", { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by-who" } }] });
  assert.equal((await seen()).GlobalSecondaryIndexes?.[0]?.IndexStatus, "DELETING");
  world.clock.advance(30_000);
  const { GlobalSecondaryIndexes, AttributeDefinitions } = await seen();
  assert.deepEqual([GlobalSecondaryIndexes, AttributeDefinitions], [undefined, define("id")]);
  await assert.rejects(
    update({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by-who" } }] }),
    refusal("ResourceNotFoundException"),
  );
});

test("streams go on and off; the last one is remembered", async () => {
  const { seen, update } = await active();
  await update({ StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } });
  const { StreamSpecification, LatestStreamArn } = await seen();
  assert.equal(StreamSpecification?.StreamViewType, "NEW_IMAGE");
  assert.match(LatestStreamArn ?? "", /^arn:.*:table\/orders\/stream\/2030-01-01T00:00:08\.000$/);
  const invalid = refusal("ValidationException");
  await assert.rejects(update({ StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } }), invalid);
  await update({ StreamSpecification: { StreamEnabled: false } });
  await assert.rejects(update({ StreamSpecification: { StreamEnabled: false } }), invalid);
  const off = await seen();
  assert.deepEqual([off.StreamSpecification, off.LatestStreamArn], [undefined, LatestStreamArn]);
});

test("deletion protection, encryption and class can be changed", async () => {
  const { call, seen, update } = await active({ DeletionProtectionEnabled: true });
  await assert.rejects(call("DeleteTable", { TableName }), refusal("ValidationException"));
  await update({ DeletionProtectionEnabled: false });
  assert.equal((await seen()).SSEDescription, undefined);
  await update({ SSESpecification: { Enabled: true } });
  assert.match(
    (await seen()).SSEDescription?.KMSMasterKeyArn ?? "",
    /^arn:aws:kms:eu-west-1:000000000000:key\/[0-9a-f-]{36}$/,
  );
  await assert.rejects(update({ SSESpecification: { Enabled: true } }), refusal("ValidationException"));
  await update({ SSESpecification: { Enabled: true, SSEType: "KMS", KMSMasterKeyId: "alias/mine" } });
  await update({ SSESpecification: { Enabled: false } });
  assert.equal((await seen()).SSEDescription, undefined);
  await update({ TableClass: "STANDARD_INFREQUENT_ACCESS" });
  assert.equal((await seen()).TableClassSummary?.TableClass, "STANDARD_INFREQUENT_ACCESS");
  await update({ TableClass: "STANDARD" });
  await assert.rejects(update({ TableClass: "STANDARD_INFREQUENT_ACCESS" }), refusal("LimitExceededException"));
  await call("DeleteTable", { TableName });
});

test("a table stays active while its encryption changes, tells the key that it had, and takes no update", async () => {
  const { world, call, seen } = await active();
  const encrypt = (SSESpecification: object) => call("UpdateTable", { TableName, SSESpecification });
  const told = async () => [(await seen()).TableStatus, (await seen()).SSEDescription?.Status];
  const key = async () => (await seen()).SSEDescription?.KMSMasterKeyArn;
  await encrypt({ Enabled: true });
  assert.deepEqual(await told(), ["ACTIVE", "ENABLING"]);
  await assert.rejects(encrypt({ Enabled: false }), refusal("ResourceInUseException"));
  world.clock.advance(20_000);
  assert.deepEqual(await told(), ["ACTIVE", "ENABLED"]);
  const before = await key();
  await encrypt({ Enabled: true, SSEType: "KMS", KMSMasterKeyId: "alias/mine" });
  assert.deepEqual([await told(), await key()], [["ACTIVE", "UPDATING"], before]);
  world.clock.advance(20_000);
  assert.notEqual(await key(), before);
  await encrypt({ Enabled: false });
  assert.deepEqual(await told(), ["ACTIVE", "DISABLING"]);
  world.clock.advance(20_000);
  assert.deepEqual(await told(), ["ACTIVE", undefined]);
  await encrypt({ Enabled: true });
  world.clock.advance(20_000);
  await assert.rejects(encrypt({ Enabled: false }), refusal("LimitExceededException"));
});

test("time to live changes once an hour; recovery to a point in time goes on and off", async () => {
  const { world, call } = await active();
  const set = (Enabled: boolean, AttributeName = "ends") =>
    call("UpdateTimeToLive", { TableName, TimeToLiveSpecification: { Enabled, AttributeName } });
  const status = async () => (await call("DescribeTimeToLive", { TableName })).TimeToLiveDescription?.TimeToLiveStatus;
  const invalid = refusal("ValidationException");
  assert.equal(await status(), "DISABLED");
  await assert.rejects(set(false), invalid);
  await set(true);
  assert.equal(await status(), "ENABLING");
  world.clock.advance(60_000);
  assert.equal(await status(), "ENABLED");
  await assert.rejects(set(false), invalid);
  world.clock.advance(HOUR);
  await assert.rejects(set(false, "other"), invalid);
  await set(false);
  world.clock.advance(60_000);
  assert.equal(await status(), "DISABLED");

  const recovery = async () =>
    (await call("DescribeContinuousBackups", { TableName })).ContinuousBackupsDescription
      ?.PointInTimeRecoveryDescription;
  const recover = (PointInTimeRecoveryEnabled: boolean, RecoveryPeriodInDays?: number) =>
    call("UpdateContinuousBackups", {
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled, RecoveryPeriodInDays },
    });
  assert.equal((await recovery())?.PointInTimeRecoveryStatus, "DISABLED");
  await recover(true, 7);
  assert.deepEqual(
    [(await recovery())?.PointInTimeRecoveryStatus, (await recovery())?.RecoveryPeriodInDays],
    ["ENABLED", 7],
  );
  await recover(false);
  assert.equal((await recovery())?.PointInTimeRecoveryStatus, "DISABLED");
  await assert.rejects(call("DescribeContinuousBackups", { TableName: "other" }), refusal("TableNotFoundException"));
});

test("backups are not to be had while a table is being created, nor for a while after that", async () => {
  const { world, call } = setUp();
  await call("CreateTable", WANTED);
  world.clock.advance(3_000);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const recover = () => call("UpdateContinuousBackups", { TableName, PointInTimeRecoverySpecification });
  await assert.rejects(recover(), refusal("ContinuousBackupsUnavailableException"));
  world.clock.advance(5_000);
  await assert.rejects(recover(), refusal("ContinuousBackupsUnavailableException"));
  world.clock.advance(10_000);
  await recover();
});

test("tags come and go, in pages of ten, and by the tagging API", async () => {
  const { call, tagged } = await active({ Tags: [{ Key: "team", Value: "shop" }] });
  const Tags = Array.from({ length: 12 }, (_, i) => ({ Key: `k${i}`, Value: "" }));
  await call("TagResource", { ResourceArn: ARN, Tags });
  await call("UntagResource", { ResourceArn: ARN, TagKeys: ["k0", "other"] });
  const first = await call("ListTagsOfResource", { ResourceArn: ARN });
  const second = await call("ListTagsOfResource", { ResourceArn: ARN, NextToken: first.NextToken });
  assert.deepEqual([first.Tags?.length, second.Tags?.length, second.NextToken], [10, 2, undefined]);
  await assert.rejects(call("TagResource", { ResourceArn: `${ARN}2`, Tags }), refusal("ResourceNotFoundException"));
  await assert.rejects(call("TagResource", { ResourceArn: "orders", Tags }), refusal("ValidationException"));
  assert.equal(await tagged.tag(ARN, new Map([["a", "b"]])), true);
  assert.equal(await tagged.untag(`${ARN}2`, ["a"]), false);
  const [listed] = tagged.list("000000000000", "eu-west-1");
  assert.deepEqual([listed?.arn, listed?.tags.get("a"), listed?.tags.get("team")], [ARN, "b", "shop"]);
});

test("what belongs to many regions is refused as not served", async () => {
  const { update } = await active();
  await assert.rejects(update({ ReplicaUpdates: [{ Create: { RegionName: "eu-west-2" } }] }), /not served/);
});
