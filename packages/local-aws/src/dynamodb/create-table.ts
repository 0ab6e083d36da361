import type { CreateTableInput, GlobalSecondaryIndex } from "@gatewright/aws-wire/types/dynamodb";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { AwsWorld } from "../world.ts";
import { tableName } from "./arn.ts";
import { checkKeys } from "./key-rules.ts";
import { DURATIONS, statusAt } from "./life.ts";
import type { GlobalIndexRecord, IndexRecord, Place, TableRecord } from "./records.ts";
import { inUse, limitExceeded, notServed, wrongValues } from "./refusals.ts";
import { newOnDemand, readKey, readThroughput, readWarm } from "./settings.ts";
import type { DynamoStore } from "./store.ts";
import { streamLabelAt } from "./stream-label.ts";
import { warmOf } from "./table-shape.ts";
import { withTags } from "./tag-rules.ts";

const MOST_TABLES = 2_500;
/** Tables of an account that may be created, updated or deleted at one time. */
const MOST_AT_ONCE = 500;

/** Makes a table, which takes a while. One that is there is an error, whatever it has. */
export async function createTable(
  world: AwsWorld,
  store: DynamoStore,
  place: Place,
  input: CreateTableInput,
): Promise<TableRecord> {
  const now = world.clock.now();
  const name = tableName(input.TableName);
  const table = { ...plannedTable(place, name, input, now), id: uuid(world.random) };
  const before = store.find(place, name);
  if (before !== undefined) {
    if (statusAt(before, now) === "DELETING") throw inUse("DELETING", name);
    throw new AwsError("ResourceInUseException", `Table already exists: ${name}`);
  }
  const there = store.tablesIn(place);
  if (there.length >= MOST_TABLES) throw limitExceeded(`Account max table limit is ${MOST_TABLES}`);
  if (there.filter((each) => statusAt(each, now) !== "ACTIVE").length >= MOST_AT_ONCE) {
    throw limitExceeded(`There is a limit of ${MOST_AT_ONCE} simultaneous control plane operations`);
  }
  const phase = { status: "CREATING", until: now + DURATIONS.creating * world.pace.durations };
  const made = { ...table, phase };
  await store.commit((commit) => store.put(commit, made));
  return made;
}

function plannedTable(place: Place, name: string, input: CreateTableInput, now: number): Omit<TableRecord, "id"> {
  checkServed(input);
  const { AttributeDefinitions: definitions, KeySchema: keys } = input;
  if (definitions === undefined || keys === undefined) {
    throw wrongValues("AttributeDefinitions and KeySchema must be specified");
  }
  const billing = input.BillingMode === "PAY_PER_REQUEST" ? "PAY_PER_REQUEST" : "PROVISIONED";
  if (billing === "PROVISIONED" && input.ProvisionedThroughput === undefined) {
    throw wrongValues(
      "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
    );
  }
  if (billing === "PAY_PER_REQUEST" && input.ProvisionedThroughput !== undefined) {
    throw wrongValues(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
    );
  }
  const localIndexes = (input.LocalSecondaryIndexes ?? []).map((index): IndexRecord => ({
    name: index.IndexName,
    keys: index.KeySchema,
    projection: index.Projection,
  }));
  const indexes = (input.GlobalSecondaryIndexes ?? []).map((index) => plannedIndex(index, billing));
  checkKeys({ definitions, keys, localIndexes, indexes });
  const stream = input.StreamSpecification;
  if (stream?.StreamEnabled === true && stream.StreamViewType === undefined) {
    throw wrongValues("StreamViewType must be specified when StreamEnabled is true");
  }
  const { account, region } = place;
  const key = input.SSESpecification && readKey(place, input.SSESpecification);
  const throughput = input.ProvisionedThroughput && readThroughput(input.ProvisionedThroughput);
  const paid = { billing, ...(throughput && { throughput }) } as const;
  return {
    account,
    region,
    name,
    createdAt: now,
    definitions,
    keys,
    localIndexes,
    indexes,
    ...paid,
    payPerRequest: billing === "PAY_PER_REQUEST" ? [now] : [],
    decreases: [],
    ...(input.OnDemandThroughput && { onDemand: newOnDemand(input.OnDemandThroughput) }),
    ...(input.WarmThroughput && { warm: readWarm(input.WarmThroughput, warmOf(paid)) }),
    ...(stream?.StreamEnabled === true && {
      stream: { view: stream.StreamViewType ?? "" },
      streamLabel: streamLabelAt(now),
    }),
    ...(key !== undefined && { key }),
    ...(input.TableClass !== undefined && { tableClass: input.TableClass }),
    classChanges: [],
    isProtected: input.DeletionProtectionEnabled === true,
    tags: withTags([], input.Tags ?? []),
  };
}

/** An index as it is asked for, paid for as its table is. */
export function plannedIndex(index: GlobalSecondaryIndex, billing: TableRecord["billing"]): GlobalIndexRecord {
  const { IndexName: name, KeySchema: keys, Projection: projection, ProvisionedThroughput, OnDemandThroughput } = index;
  if (billing === "PROVISIONED" && ProvisionedThroughput === undefined) {
    throw wrongValues(`ProvisionedThroughput is not specified for index: ${name}`);
  }
  if (billing === "PAY_PER_REQUEST" && ProvisionedThroughput !== undefined) {
    throw wrongValues(
      `ProvisionedThroughput should not be specified for index: ${name} when BillingMode is PAY_PER_REQUEST`,
    );
  }
  const throughput = ProvisionedThroughput && readThroughput(ProvisionedThroughput);
  return {
    name,
    keys,
    projection,
    ...(throughput && { throughput }),
    ...(OnDemandThroughput && { onDemand: newOnDemand(OnDemandThroughput) }),
    ...(index.WarmThroughput && {
      warm: readWarm(index.WarmThroughput, warmOf({ billing, ...(throughput && { throughput }) })),
    }),
  };
}

function checkServed(input: CreateTableInput): void {
  if (input.ResourcePolicy !== undefined) throw notServed("ResourcePolicy");
  if (input.GlobalTableSourceArn !== undefined || input.GlobalTableSettingsReplicationMode !== undefined) {
    throw notServed("A global table");
  }
  if ((input.VectorIndexes ?? []).length > 0) throw notServed("VectorIndexes");
}
