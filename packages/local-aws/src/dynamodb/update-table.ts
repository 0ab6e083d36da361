import type { UpdateTableInput } from "@gatewright/aws-wire/types/dynamodb";
import type { AwsWorld } from "../world.ts";
import { updatedIndexes } from "./update-indexes.ts";
import { DURATIONS, encryptingAt } from "./life.ts";
import type { TableRecord, Throughput } from "./records.ts";
import { inUse, limitExceeded, notServed, wrongValues, invalid } from "./refusals.ts";
import { readKey, readOnDemand, readThroughput, readWarm } from "./settings.ts";
import { streamLabelAt } from "./stream-label.ts";
import { warmOf } from "./table-shape.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOST_SWITCHES_A_DAY = 4;
const FREE_DECREASES_A_DAY = 4;
const MOST_CLASS_CHANGES = 2;
const MOST_KEY_CHANGES_A_DAY = 4;
const KEPT_MOMENTS = 40;

/** The table as an update makes it: UPDATING for a while, unless only its encryption changes. Refuses what DynamoDB does. */
export function updatedTable(world: AwsWorld, table: TableRecord, input: UpdateTableInput): TableRecord {
  checkServed(input);
  const now = world.clock.now();
  const { durations } = world.pace;
  if (encryptingAt(table, now) !== undefined) throw inUse("UPDATING", table.name);
  const steps = [withBilling, withStream, withEncryption, withClass, withLimits];
  let next = steps.reduce((each, step) => step(each, input, now, durations), table);
  const indexed = updatedIndexes(next, input, now, durations);
  next = indexed.table;
  if (input.DeletionProtectionEnabled !== undefined) next = { ...next, isProtected: input.DeletionProtectionEnabled };
  else if (next === table) {
    throw invalid(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required",
    );
  }
  const { TableName: _, SSESpecification: __, ...others } = input;
  if (Object.values(others).every((each) => each === undefined)) return next;
  const until = Math.max(now + DURATIONS.updating * durations, indexed.until);
  return { ...next, phase: { status: "UPDATING", until } };
}

type Step = (table: TableRecord, input: UpdateTableInput, now: number, durations: number) => TableRecord;

const withBilling: Step = (table, input, now, durations) => {
  const { BillingMode = table.billing, ProvisionedThroughput: given } = input;
  if (BillingMode === "PAY_PER_REQUEST") {
    if (given !== undefined) {
      throw wrongValues(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
      );
    }
    if (table.billing === "PAY_PER_REQUEST") return input.BillingMode === undefined ? table : { ...table };
    if (within(table.payPerRequest, now, DAY * durations) >= MOST_SWITCHES_A_DAY) {
      throw limitExceeded(`Update to PayPerRequest mode are limited to ${MOST_SWITCHES_A_DAY} times in 1 day(s).`);
    }
    const { throughput: _, ...rest } = table;
    const indexes = table.indexes.map(({ throughput: __, ...index }) => index);
    return { ...rest, indexes, billing: "PAY_PER_REQUEST", payPerRequest: kept(table.payPerRequest, now) };
  }
  if (given === undefined) {
    if (table.billing === "PROVISIONED") return input.BillingMode === undefined ? table : { ...table };
    throw wrongValues(
      "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
    );
  }
  const throughput = readThroughput(given);
  if (table.billing === "PAY_PER_REQUEST") {
    const { onDemand: _, ...rest } = table;
    return { ...rest, billing: "PROVISIONED", throughput };
  }
  return withThroughput(table, throughput, now, durations);
};

function withThroughput(table: TableRecord, wanted: Throughput, now: number, durations: number): TableRecord {
  const { read, write } = table.throughput ?? { read: 0, write: 0 };
  if (wanted.read === read && wanted.write === write) {
    throw invalid(
      `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${read}. Requested ReadCapacityUnits: ${wanted.read}. Current WriteCapacityUnits provisioned for the table: ${write}. Requested WriteCapacityUnits: ${wanted.write}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
    );
  }
  const next = {
    ...table,
    throughput: wanted,
    ...((wanted.read > read || wanted.write > write) && { increasedAt: now }),
  };
  if (wanted.read >= read && wanted.write >= write) return next;
  const today = table.decreases.filter((at) => Math.floor(at / DAY) === Math.floor(now / DAY));
  if (today.length >= FREE_DECREASES_A_DAY && within(table.decreases, now, HOUR * durations) > 0) {
    throw limitExceeded(
      "Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds.",
    );
  }
  return { ...next, decreases: kept(table.decreases, now) };
}

const withStream: Step = (table, { StreamSpecification: given }, now) => {
  if (given === undefined) return table;
  if (!given.StreamEnabled) {
    if (given.StreamViewType !== undefined) {
      throw wrongValues("StreamViewType cannot be specified when StreamEnabled is false");
    }
    if (table.stream === undefined) {
      throw invalid("Table is already in the state that was asked for: it has no stream that is enabled");
    }
    const { stream: _, ...rest } = table;
    return rest;
  }
  if (table.stream !== undefined) throw invalid(`Table already has an enabled stream: TableName: ${table.name}`);
  if (given.StreamViewType === undefined) {
    throw wrongValues("StreamViewType must be specified when StreamEnabled is true");
  }
  return { ...table, stream: { view: given.StreamViewType }, streamLabel: streamLabelAt(now) };
};

const withEncryption: Step = (table, { SSESpecification: given }, now, durations) => {
  if (given === undefined) return table;
  const key = readKey(table, given);
  if (key === table.key) {
    throw wrongValues(
      key === undefined
        ? "Table is already encrypted by default"
        : "Table is already encrypted by given KMSMasterKeyId",
    );
  }
  const { key: before, keyChanges = [], ...rest } = table;
  if (within(keyChanges, now, DAY * durations) >= MOST_KEY_CHANGES_A_DAY) {
    throw limitExceeded(`Encryption of a table can be changed ${MOST_KEY_CHANGES_A_DAY} times in 24 hours.`);
  }
  const status = before === undefined ? "ENABLING" : key === undefined ? "DISABLING" : "UPDATING";
  const encrypting = { status, told: before ?? key ?? "", until: now + DURATIONS.encrypting * durations };
  return { ...rest, ...(key !== undefined && { key }), encrypting, keyChanges: kept(keyChanges, now) };
};

const withClass: Step = (table, { TableClass: wanted }, now, durations) => {
  if (wanted === undefined || wanted === (table.tableClass ?? "STANDARD")) {
    return wanted === undefined ? table : { ...table };
  }
  if (within(table.classChanges, now, 30 * DAY * durations) >= MOST_CLASS_CHANGES) {
    throw limitExceeded("Table class can be changed no more than two times in a 30-day trailing period.");
  }
  return { ...table, tableClass: wanted, classChanges: kept(table.classChanges, now) };
};

const withLimits: Step = (table, { OnDemandThroughput: onDemand, WarmThroughput: warm }) => {
  if (onDemand === undefined && warm === undefined) return table;
  if (onDemand !== undefined && table.billing !== "PAY_PER_REQUEST") {
    throw wrongValues("OnDemandThroughput can only be specified when BillingMode is PAY_PER_REQUEST");
  }
  return {
    ...table,
    ...(onDemand && { onDemand: readOnDemand(onDemand, table.onDemand) }),
    ...(warm && { warm: readWarm(warm, warmOf(table)) }),
  };
};

/** How many of the moments are less than so long ago. */
function within(moments: readonly number[], now: number, ms: number): number {
  return moments.filter((at) => now < at + ms).length;
}

function kept(moments: readonly number[], now: number): readonly number[] {
  return [...moments, now].slice(-KEPT_MOMENTS);
}

function checkServed(input: UpdateTableInput): void {
  if ((input.ReplicaUpdates ?? []).length > 0 || input.MultiRegionConsistency !== undefined) {
    throw notServed("A global table");
  }
  if ((input.GlobalTableWitnessUpdates ?? []).length > 0 || input.GlobalTableSettingsReplicationMode !== undefined) {
    throw notServed("A global table");
  }
  if (input.DisassociationProtectionEnabled !== undefined) throw notServed("DisassociationProtectionEnabled");
  if ((input.VectorIndexUpdates ?? []).length > 0) throw notServed("VectorIndexUpdates");
}
