import type { UpdateGlobalSecondaryIndexAction, UpdateTableInput } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import { plannedIndex } from "./create-table.ts";
import { checkKeys, usedAttributes } from "./key-rules.ts";
import { DURATIONS } from "./life.ts";
import type { GlobalIndexRecord, TableRecord } from "./records.ts";
import { limitExceeded, wrongValues } from "./refusals.ts";
import { readOnDemand, readThroughput, readWarm } from "./settings.ts";
import { warmOf } from "./table-shape.ts";

/** A table whose indexes were changed, and when that is done. */
interface Indexed {
  readonly table: TableRecord;
  readonly until: number;
}

/** The table with its indexes made, changed or removed. Of those that are made or removed there may be one. */
export function updatedIndexes(table: TableRecord, input: UpdateTableInput, now: number, durations: number): Indexed {
  const updates = input.GlobalSecondaryIndexUpdates ?? [];
  checkUpdates(table, input);
  let next: Indexed = { table, until: now };
  for (const { Create, Update, Delete } of updates) {
    if (Update) next = withUpdate(next, Update, now + DURATIONS.updating * durations);
    if (Create) {
      const phase = { status: "CREATING", until: now + DURATIONS.indexCreating * durations };
      const index = { ...plannedIndex(Create, next.table.billing), phase };
      next = withDefinitions(next.table, [...next.table.indexes, index], input, phase.until);
    }
    if (Delete) {
      const phase = { status: "DELETING", until: now + DURATIONS.indexDeleting * durations };
      if (!next.table.indexes.some(({ name }) => name === Delete.IndexName)) throw noIndex(Delete.IndexName);
      const dying = next.table.indexes.map((index) => (index.name === Delete.IndexName ? { ...index, phase } : index));
      next = withDefinitions(next.table, dying, input, phase.until);
    }
  }
  const unpaid = next.table.indexes.find(({ throughput }) => throughput === undefined);
  if (next.table.billing === "PROVISIONED" && unpaid !== undefined) {
    throw wrongValues(`ProvisionedThroughput must be specified for index: ${unpaid.name}`);
  }
  return next;
}

function checkUpdates({ billing }: TableRecord, input: UpdateTableInput): void {
  const updates = input.GlobalSecondaryIndexUpdates ?? [];
  const online = updates.filter(({ Create, Delete }) => Create !== undefined || Delete !== undefined);
  if (online.length > 1) {
    throw limitExceeded("Only 1 online index can be created or deleted simultaneously per table");
  }
  if (online.length > 0 && (input.ProvisionedThroughput !== undefined || (input.BillingMode ?? billing) !== billing)) {
    throw wrongValues("Throughput or BillingMode cannot be changed while an index is created or deleted");
  }
  if (
    updates.some((each) => [each.Create, each.Update, each.Delete].filter((part) => part !== undefined).length !== 1)
  ) {
    throw wrongValues("Exactly one of Create, Update and Delete must be specified in a GlobalSecondaryIndexUpdate");
  }
}

function withUpdate(
  { table, until }: Indexed,
  { IndexName, ProvisionedThroughput: given, OnDemandThroughput, WarmThroughput }: UpdateGlobalSecondaryIndexAction,
  done: number,
): Indexed {
  const before = table.indexes.find(({ name }) => name === IndexName);
  if (before === undefined) throw noIndex(IndexName);
  if (given !== undefined && table.billing === "PAY_PER_REQUEST") {
    throw wrongValues(
      `ProvisionedThroughput should not be specified for index: ${IndexName} when BillingMode is PAY_PER_REQUEST`,
    );
  }
  const throughput = given === undefined ? before.throughput : readThroughput(given);
  if (given && throughput?.read === before.throughput?.read && throughput?.write === before.throughput?.write) {
    throw wrongValues(
      `The provisioned throughput for the index ${IndexName} will not change. The requested value equals the current value.`,
    );
  }
  const index: GlobalIndexRecord = {
    ...before,
    ...(throughput && { throughput }),
    ...(OnDemandThroughput && { onDemand: readOnDemand(OnDemandThroughput, before.onDemand) }),
    ...(WarmThroughput && {
      warm: readWarm(
        WarmThroughput,
        warmOf({
          billing: table.billing,
          ...(before.warm && { warm: before.warm }),
          ...(throughput && { throughput }),
        }),
      ),
    }),
    phase: { status: "UPDATING", until: done },
  };
  const indexes = table.indexes.map((each) => (each.name === IndexName ? index : each));
  return { table: { ...table, indexes }, until: Math.max(until, done) };
}

/** Definitions are those that were there and those that were given, as far as keys need them. */
function withDefinitions(
  table: TableRecord,
  indexes: readonly GlobalIndexRecord[],
  { AttributeDefinitions: given = [] }: UpdateTableInput,
  until: number,
): Indexed {
  const types = new Map(table.definitions.map((each) => [each.AttributeName, each.AttributeType]));
  for (const { AttributeName, AttributeType } of given) {
    if ((types.get(AttributeName) ?? AttributeType) !== AttributeType) {
      throw wrongValues(`Type of attribute ${AttributeName} cannot be changed`);
    }
    types.set(AttributeName, AttributeType);
  }
  const used = new Set(
    usedAttributes({ ...table, indexes: indexes.filter(({ phase }) => phase?.status !== "DELETING") }),
  );
  const definitions = [...types]
    .filter(([name]) => used.has(name))
    .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
  checkKeys({ ...table, definitions, indexes: indexes.filter(({ phase }) => phase?.status !== "DELETING") });
  return { table: { ...table, definitions, indexes }, until };
}

function noIndex(name: string): AwsError {
  return new AwsError("ResourceNotFoundException", `Requested resource not found: Index: ${name} not found`);
}
