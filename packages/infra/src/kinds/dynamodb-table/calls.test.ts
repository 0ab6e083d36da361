import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@gatewright/kube";
import type { DynamoDBTable } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { compare } from "../../engine/compare.ts";
import { classOf } from "../../engine/error-class.ts";
import { REASONS } from "../../reasons.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import type { KindWorld } from "../testing/kind-world.ts";
import { dynamodbTable } from "./index.ts";
import type { Table } from "./table.ts";

function objectOf(spec: Partial<DynamoDBTable["spec"]> = {}): DynamoDBTable {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "DynamoDBTable",
    metadata: { name: "carts", namespace: "shop", uid: "uid-1" },
    spec: {
      providerRef: { name: "aws" },
      tableName: "carts",
      hashKey: { name: "id", type: "S" },
      deletionPolicy: "Delete",
      ...spec,
    },
  };
}

async function read(world: KindWorld, ...declared: readonly string[]): Promise<Table> {
  const table = await world.passing(dynamodbTable.read(world.ground, "carts", new Set(declared)));
  assert.ok(table !== "absent");
  return table;
}

async function change(world: KindWorld, fields: Readonly<Record<string, Json>>) {
  const values = new Map(Object.entries(fields));
  const table = await read(world, ...values.keys());
  const wish = { object: objectOf(), given: givenOf(), fields: values, wanted: values };
  return world.passing(dynamodbTable.change(world.ground, table, wish));
}

test("a table is busy until it is there, and while AWS changes it", async () => {
  await using world = await kindWorld();
  const creation = { object: objectOf(), given: givenOf(), tags: { team: "shop" }, token: "t" };
  const wanted = new Map<string, Json>([["hashKey", { name: "id", type: "S" }]]);
  await world.passing(dynamodbTable.create(world.ground, { ...creation, wanted }));
  await assert.rejects(read(world, "timeToLive", "pointInTimeRecovery"), (error) => {
    assert.deepEqual([classOf(error).reason, classOf(error).message], [REASONS.Busy, "carts is being created"]);
    return true;
  });
  // Once more, as after a lost answer.
  assert.equal(await world.passing(dynamodbTable.create(world.ground, { ...creation, wanted })), "carts");
  await world.pass(8_000);
  const table = await read(world, "timeToLive", "pointInTimeRecovery");
  assert.equal(dynamodbTable.stateOf(table).is, "ready");
  assert.deepEqual(table.tags, { team: "shop" });
  await change(world, { deletionProtection: true });
  assert.equal(dynamodbTable.stateOf(await read(world)).is, "busy");
});

test("a table of another that has the name is left alone", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(dynamodbTable), objectOf({ billingMode: "PAY_PER_REQUEST" }), givenOf());
  const wanted = new Map<string, Json>([["hashKey", { name: "other", type: "N" }]]);
  const creation = { object: objectOf(), given: givenOf(), wanted, tags: { team: "other" }, token: "t" };
  assert.equal(await world.passing(dynamodbTable.create(world.ground, creation)), "carts");
  const table = await read(world);
  assert.deepEqual([table.hashKey, table.tags["team"]], [{ name: "id", type: "S" }, undefined]);
});

test("other keys and other local indexes are another table", async () => {
  await using world = await kindWorld();
  const rangeKey = { name: "at", type: "N" } as const;
  const spec: Partial<DynamoDBTable["spec"]> = {
    rangeKey,
    attributes: [{ name: "x", type: "S" }],
    localSecondaryIndexes: [{ indexName: "by-x", rangeKey: "x", projectionType: "ALL" }],
  };
  const { seen } = await settle(world, anyKind(dynamodbTable), objectOf(spec), givenOf());
  const replaced = (more: Partial<DynamoDBTable["spec"]>) =>
    compare(dynamodbTable, objectOf({ ...spec, ...more }), givenOf(), seen as Table, []).differences.map(
      ({ path, change: how }) => `${path} ${how}`,
    );
  assert.deepEqual(replaced({}), []);
  assert.deepEqual(replaced({ hashKey: { name: "id", type: "N" } }), ["hashKey replace"]);
  assert.deepEqual(replaced({ localSecondaryIndexes: [] }), ["localSecondaryIndexes replace"]);
});

test("many changes at once are made one after the other", async () => {
  await using world = await kindWorld({ pace: { durations: 0.01, lag: false } });
  const first = await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  const index = (name: string) => ({ indexName: `by-${name}`, hashKey: name, projectionType: "ALL" }) as const;
  const names = ["a", "b", "c", "d", "e", "f"];
  const object = objectOf({
    attributes: names.map((name) => ({ name, type: "S" })),
    globalSecondaryIndexes: names.map(index),
    streamEnabled: true,
    deletionProtection: true,
    tableClass: "STANDARD_INFREQUENT_ACCESS",
    serverSideEncryption: { enabled: true },
  });
  await settle(world, anyKind(dynamodbTable), { ...object, status: first.object.status! }, givenOf());
  const table = await read(world);
  assert.deepEqual(
    table.indexes.map(({ name }) => name),
    names.map((name) => `by-${name}`),
  );
  assert.deepEqual([table.isProtected, table.tableClass], [true, "STANDARD_INFREQUENT_ACCESS"]);
});

test("what AWS takes only so often waits until it does, and says so", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  for (const tableClass of ["STANDARD_INFREQUENT_ACCESS", "STANDARD"]) {
    assert.equal(await change(world, { tableClass }), undefined);
    await world.pass(5_000);
  }
  const refused = await change(world, { tableClass: "STANDARD_INFREQUENT_ACCESS" });
  assert.ok(typeof refused === "object" && refused.reason === "NotNow");
  assert.match(refused.message, /two times in a 30-day/);

  assert.equal(await change(world, { timeToLive: { enabled: true, attributeName: "ends" } }), undefined);
  const again = await change(world, { timeToLive: { enabled: true, attributeName: "over" } });
  assert.ok(typeof again === "object" && again.reason === "NotNow");
  assert.equal((await read(world, "timeToLive")).timeToLive?.["attributeName"], "ends");
});

test("recovery that AWS does not take yet waits a little, and all else is written meanwhile", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  const wish = {
    pointInTimeRecovery: true,
    deletionProtection: true,
    timeToLive: { enabled: true, attributeName: "x" },
  };
  const late = await change(world, wish);
  assert.ok(typeof late === "object" && late.reason === "NotNow" && late.afterMs === 5_000);
  await world.pass(10_000);
  const { isProtected, timeToLive } = await read(world, "timeToLive");
  assert.deepEqual([isProtected, timeToLive], [true, wish.timeToLive]);
  assert.equal(await change(world, { pointInTimeRecovery: true }), undefined);
  assert.equal((await read(world, "pointInTimeRecovery")).recoveryDays, 35);
});

test("another key is asked for once, and waited for while AWS still tells the one before", async () => {
  await using world = await kindWorld();
  const serverSideEncryption = (kmsMasterKeyId: string) => ({ enabled: true, kmsMasterKeyId });
  const first = objectOf({ serverSideEncryption: serverSideEncryption("one") });
  const { object } = await settle(world, anyKind(dynamodbTable), first, givenOf());
  const next = { ...object, spec: { ...first.spec, serverSideEncryption: serverSideEncryption("two") } };
  const wish = "serverSideEncryption.kmsMasterKeyId";
  assert.equal(await change(world, { "serverSideEncryption.enabled": true, [wish]: "two" }), undefined);
  const table = await read(world);
  assert.deepEqual([table.status, table.key?.endsWith("/one")], ["ACTIVE", true]);
  assert.equal(dynamodbTable.stateOf(table).is, "busy");
  assert.equal((await settle(world, anyKind(dynamodbTable), next, givenOf())).writes, 0);
});

test("a part that AWS takes only so often does not keep others from being written", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  for (const tableClass of ["STANDARD_INFREQUENT_ACCESS", "STANDARD"]) {
    await change(world, { tableClass });
    await world.pass(5_000);
  }
  const index = { indexName: "by-id", hashKey: { name: "id", type: "S" }, projectionType: "ALL" };
  const wish = { tableClass: "STANDARD_INFREQUENT_ACCESS", globalSecondaryIndexes: [index] };
  assert.equal(await change(world, wish), "partly");
  await world.pass(60_000);
  assert.equal((await read(world)).indexes.length, 1);
  const refused = await change(world, { tableClass: "STANDARD_INFREQUENT_ACCESS" });
  assert.ok(typeof refused === "object" && refused.reason === "NotNow");
});

test("a table that AWS works on, unknown to the last read, takes the change later", async () => {
  await using world = await kindWorld();
  await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  const table = await read(world);
  const fields = new Map([["deletionProtection", true]]);
  const wish = { object: objectOf(), given: givenOf(), fields, wanted: fields };
  assert.equal(await world.passing(dynamodbTable.change(world.ground, table, wish)), undefined);
  assert.equal(await world.passing(dynamodbTable.change(world.ground, table, wish)), "partly");
});

test("a protected table stays, and tells why; then it goes for good", async () => {
  let allowed = true;
  await using world = await kindWorld({ faults: { before: () => (allowed ? undefined : { kind: "deny" }) } });
  await settle(world, anyKind(dynamodbTable), objectOf({ deletionProtection: true }), givenOf());
  const remove = async (spec: Partial<DynamoDBTable["spec"]> = {}) =>
    world.passing(dynamodbTable.remove(world.ground, await read(world), objectOf(spec)));
  assert.equal((await remove())?.reason, "DeletionProtected");
  assert.equal((await remove({ deletionProtection: true }))?.reason, "DeletionProtected");
  assert.equal(await remove({ deletionProtection: false }), undefined);
  // AWS is still at work: it is asked again.
  assert.equal(await remove(), undefined);
  assert.equal(dynamodbTable.stateOf(await read(world)).is, "busy");
  await world.pass(5_000);
  assert.equal(await remove(), undefined);
  await assert.rejects(read(world), { code: "AtWork", message: /carts is being deleted/ });
  allowed = false;
  await assert.rejects(read(world), { code: "AccessDeniedException" });
  allowed = true;
  await world.pass(6_000);
  assert.equal(await world.passing(dynamodbTable.read(world.ground, "carts", new Set())), "absent");
});

test("a table that goes is asked for again soon, also where AWS told before that it stays", async () => {
  await using world = await kindWorld({ pace: { durations: 1, lag: true } });
  await settle(world, anyKind(dynamodbTable), objectOf(), givenOf());
  await world.passing(dynamodbTable.remove(world.ground, await read(world), objectOf()));
  await assert.rejects(read(world, "timeToLive"), { code: "AtWork", message: /AWS does not tell all of carts/ });
});

test("units that nobody says are left alone, and an index that is added gets those of its table", async () => {
  await using world = await kindWorld();
  const { aws, signal } = world.ground;
  const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 4 };
  const KeySchema = [{ AttributeName: "id", KeyType: "HASH" }];
  const keyed = { KeySchema, ProvisionedThroughput };
  const there = { IndexName: "by-id", ...keyed, Projection: { ProjectionType: "ALL" } };
  const AttributeDefinitions = [{ AttributeName: "id", AttributeType: "S" }];
  const table = { TableName: "carts", AttributeDefinitions, ...keyed, GlobalSecondaryIndexes: [there] };
  await world.passing(aws.dynamodb.createTable(table, { signal }));
  const index = (indexName: string) => ({ indexName, hashKey: "id", projectionType: "ALL" }) as const;
  const settled = async (...names: readonly string[]) => {
    const object = objectOf({ globalSecondaryIndexes: names.map(index) });
    return (await settle(world, anyKind(dynamodbTable), object, givenOf())).writes;
  };
  assert.equal(await settled("by-id"), 1, "tags alone");
  assert.equal(await settled("by-id"), 0);
  assert.equal(await settled("by-id", "more"), 1);
  const units = { readCapacityUnits: 5, writeCapacityUnits: 4 };
  const { indexes, billingMode } = await read(world);
  assert.equal(billingMode, "PROVISIONED");
  assert.deepEqual(
    indexes.map(({ name, throughput }) => [name, throughput]),
    [
      ["by-id", units],
      ["more", units],
    ],
  );
});
