import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@gatewright/kube";
import { tableOf } from "./table.ts";
import type { Table } from "./table.ts";
import { updatesOf } from "./updates.ts";

const units = (each: number) => ({ ReadCapacityUnits: each, WriteCapacityUnits: each });
const wish = (each: number) => ({ readCapacityUnits: each, writeCapacityUnits: each });
const KEYS = [{ AttributeName: "id", KeyType: "HASH" }];

/** A table with an index, both with five units while it is provisioned. */
function tableWith(mode: "PROVISIONED" | "PAY_PER_REQUEST", more: object = {}): Table {
  const own = { KeySchema: KEYS, ...(mode === "PROVISIONED" && { ProvisionedThroughput: units(5) }) };
  const told = {
    TableName: "carts",
    TableStatus: "ACTIVE",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    BillingModeSummary: { BillingMode: mode },
    GlobalSecondaryIndexes: [{ IndexName: "by-id", Projection: { ProjectionType: "ALL" }, ...own }],
    ...own,
    ...more,
  };
  return tableOf(told, { tags: {}, recoveryDays: undefined, timeToLive: undefined });
}

const WANTED: Readonly<Record<string, Json>> = {
  billingMode: "PROVISIONED",
  provisionedThroughput: wish(7),
  globalSecondaryIndexes: [
    {
      indexName: "by-id",
      hashKey: { name: "id", type: "S" },
      projectionType: "ALL",
      provisionedThroughput: wish(3),
    },
  ],
};

function updates(table: Table, written: readonly string[], wanted: Readonly<Record<string, Json>> = WANTED) {
  const all = new Map(Object.entries(wanted));
  return updatesOf(table, { wanted: all, fields: new Map([...all].filter(([path]) => written.includes(path))) });
}

const INDEX = [{ Update: { IndexName: "by-id", ProvisionedThroughput: units(3) } }];

test("throughput that others may set, or that is only reported, is not written with the rest", () => {
  const table = tableWith("PROVISIONED");
  assert.deepEqual(updates(table, []), []);
  assert.deepEqual(updates(table, ["provisionedThroughput"]), [{ ProvisionedThroughput: units(7) }]);
  assert.deepEqual(updates(table, ["globalSecondaryIndexes"]), [{ GlobalSecondaryIndexUpdates: INDEX }]);
});

test("how a table is paid for is not written either; where it is, AWS wants all units with it", () => {
  const table = tableWith("PAY_PER_REQUEST");
  assert.deepEqual(updates(table, ["provisionedThroughput", "globalSecondaryIndexes"]), []);
  assert.deepEqual(updates(table, ["billingMode"]), [
    { BillingMode: "PROVISIONED", ProvisionedThroughput: units(7), GlobalSecondaryIndexUpdates: INDEX },
  ]);
});

test("a key is not given to a table whose encryption is left to others", () => {
  const wanted = { "serverSideEncryption.enabled": true, "serverSideEncryption.kmsMasterKeyId": "k" };
  const keyed = { SSEDescription: { Status: "ENABLED", KMSMasterKeyArn: "arn:aws:kms:::key/other" } };
  const SSESpecification = { Enabled: true, SSEType: "KMS", KMSMasterKeyId: "k" };
  const id = ["serverSideEncryption.kmsMasterKeyId"];
  assert.deepEqual(updates(tableWith("PAY_PER_REQUEST"), id, wanted), []);
  assert.deepEqual(updates(tableWith("PAY_PER_REQUEST", keyed), id, wanted), [{ SSESpecification }]);
});

test("an index that is added has the units that are said, or else those of its table", () => {
  const create = (mode: "PROVISIONED" | "PAY_PER_REQUEST", more: Readonly<Record<string, Json>>) => {
    const index = { indexName: "new", hashKey: { name: "id", type: "S" }, projectionType: "ALL", ...more };
    const table = tableWith(mode, { GlobalSecondaryIndexes: [] });
    const [part] = updates(table, ["globalSecondaryIndexes"], { globalSecondaryIndexes: [index] });
    return part?.GlobalSecondaryIndexUpdates?.[0]?.Create?.ProvisionedThroughput;
  };
  assert.deepEqual(create("PROVISIONED", {}), units(5));
  assert.deepEqual(create("PROVISIONED", { provisionedThroughput: wish(2) }), units(2));
  assert.equal(create("PAY_PER_REQUEST", {}), undefined);
});
