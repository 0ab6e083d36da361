import type { dynamodb } from "@gatewright/aws";
import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { DynamoDBTable } from "@gatewright/resources";
import type { Change } from "../../engine/aws-kind.ts";
import { viewWanted } from "./fields.ts";
import { ceilingsInput, definitionsOf, indexInput, indexWork, throughputInput, wishBeside } from "./indexes.ts";
import type { Table } from "./table.ts";

type Part = Omit<dynamodb.UpdateTableInput, "TableName">;
type Aspect = (table: Table, change: Pick<Change<DynamoDBTable>, "fields" | "wanted">) => Part | undefined;

/** What a field shall be: what is to be written of it, or else what is wanted. */
function target({ fields, wanted }: Parameters<Aspect>[1], path: string): Json | undefined {
  return fields.has(path) ? fields.get(path) : wanted.get(path);
}

const protection: Aspect = (_table, { fields }) =>
  fields.has("deletionProtection")
    ? { DeletionProtectionEnabled: fields.get("deletionProtection") === true }
    : undefined;

/**
 * How it is paid for. AWS refuses throughput that is as it was, and wants that of all indexes when a table becomes provisioned;
 * otherwise only what is to be written is.
 */
const billing: Aspect = (table, change) => {
  const { fields } = change;
  const mode = fields.get("billingMode") ?? table.billingMode;
  const switching = table.billingMode !== mode;
  if (mode === "PAY_PER_REQUEST") return switching ? { BillingMode: "PAY_PER_REQUEST" } : undefined;
  const units = target(change, "provisionedThroughput") ?? table.throughput;
  const { kept, surplus } = indexWork(target(change, "globalSecondaryIndexes"), table);
  const declared = change.wanted.has("globalSecondaryIndexes");
  const chosen = switching || fields.has("globalSecondaryIndexes") ? kept : [];
  // Those that are about to be removed, and those that nobody declares, get what the table has.
  const others = switching ? table.indexes.filter(({ name }) => !declared || surplus.includes(name)) : [];
  const updates = [
    ...chosen.map(({ index, wish }) => ({ index, units: declared ? wish["provisionedThroughput"] : undefined })),
    ...others.map((index) => ({ index, units })),
  ].flatMap(({ index, units: wish }) => {
    const ProvisionedThroughput = deepEqual(wish, index.throughput) ? undefined : throughputInput(wish);
    return ProvisionedThroughput ? [{ Update: { IndexName: index.name, ProvisionedThroughput } }] : [];
  });
  const own = switching || fields.has("provisionedThroughput") ? throughputInput(units) : undefined;
  if (!switching && own === undefined && updates.length === 0) return undefined;
  return {
    ...(switching && { BillingMode: "PROVISIONED" }),
    ...(own && { ProvisionedThroughput: own }),
    ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
  };
};

/** A stream that shall tell something else is ended first: the next one is another. */
const stream: Aspect = (table, change) => {
  if (!change.fields.has("streamEnabled") && !change.fields.has("streamViewType")) return undefined;
  const wanted = target(change, "streamEnabled") === true;
  if (table.streamViewType !== undefined) return { StreamSpecification: { StreamEnabled: false } };
  if (!wanted) return undefined;
  return { StreamSpecification: { StreamEnabled: true, StreamViewType: viewWanted(change.wanted) } };
};

const encryption: Aspect = (table, change) => {
  const [on, id] = ["serverSideEncryption.enabled", "serverSideEncryption.kmsMasterKeyId"] as const;
  if (!change.fields.has(on) && (!change.fields.has(id) || table.key === undefined)) return undefined;
  if (change.fields.has(on) && change.fields.get(on) !== true) return { SSESpecification: { Enabled: false } };
  const key = target(change, id);
  return {
    SSESpecification: { Enabled: true, SSEType: "KMS", ...(key !== undefined && { KMSMasterKeyId: String(key) }) },
  };
};

const tableClass: Aspect = (_table, { fields }) =>
  fields.has("tableClass") ? { TableClass: String(fields.get("tableClass")) } : undefined;

const ceilings: Aspect = (table, change) => {
  if (table.billingMode !== "PAY_PER_REQUEST") return undefined;
  const { kept } = indexWork(target(change, "globalSecondaryIndexes"), table);
  const updates = change.fields.has("globalSecondaryIndexes")
    ? kept
        .filter(({ index, wish }) => !deepEqual(wish["onDemandThroughput"], index.onDemand))
        .map(({ index, wish }) => ({
          Update: { IndexName: index.name, OnDemandThroughput: ceilingsInput(wish["onDemandThroughput"]) },
        }))
    : [];
  const own = change.fields.has("onDemandThroughput");
  if (!own && updates.length === 0) return undefined;
  return {
    ...(own && { OnDemandThroughput: ceilingsInput(change.fields.get("onDemandThroughput")) }),
    ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
  };
};

/** One index at a time: first those that go, since one that is changed goes and comes. */
const indexes: Aspect = (table, { fields }) => {
  if (!fields.has("globalSecondaryIndexes")) return undefined;
  const { surplus, missing, kept } = indexWork(fields.get("globalSecondaryIndexes"), table);
  const [gone] = surplus;
  if (gone !== undefined) return { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: gone } }] };
  const [next] = missing;
  if (next === undefined) return undefined;
  const { hashKey, rangeKey } = table;
  const keyed = [
    { hashKey, ...(rangeKey && { rangeKey }) },
    ...table.localIndexes,
    ...kept.map(({ index }) => index.shape),
  ];
  return {
    AttributeDefinitions: definitionsOf([...keyed, next]),
    GlobalSecondaryIndexUpdates: [{ Create: indexInput(wishBeside(table, next)) }],
  };
};

/** The updates that a table needs, each for a call of its own: AWS takes some of them together, and does not say which. */
export function updatesOf(table: Table, change: Pick<Change<DynamoDBTable>, "fields" | "wanted">): readonly Part[] {
  return [protection, billing, stream, encryption, ceilings, tableClass, indexes].flatMap(
    (aspect) => aspect(table, change) ?? [],
  );
}
