import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { DynamoDBTable } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import { indexesWanted, localIndexesWanted, sameIndexes } from "./indexes.ts";
import type { Table } from "./table.ts";

type Spec = Immutable<DynamoDBTable["spec"]>;
type TableField = Field<Spec, Table>;

const DEFAULT_VIEW = "NEW_AND_OLD_IMAGES";
const LONGEST_RECOVERY = 35;

const inPlace = (field: Omit<TableField, "change">): TableField => ({ ...field, change: "in-place" });
const replaced = (field: Omit<TableField, "change">): TableField => ({ ...field, change: "replace" });

/** Without a word on it a table is paid for by request, unless it says what it wants in advance. */
function billingMode({ billingMode: mode, provisionedThroughput }: Spec): string | undefined {
  return mode ?? (provisionedThroughput === undefined ? undefined : "PROVISIONED");
}

/** The fields of a table. What is reset goes to what a new table has. */
export const TABLE_FIELDS: readonly TableField[] = [
  replaced({ path: "tableName", want: ({ tableName }) => tableName, have: ({ name }) => name }),
  replaced({ path: "hashKey", want: ({ hashKey }) => ({ ...hashKey }), have: ({ hashKey }) => hashKey }),
  replaced({ path: "rangeKey", want: ({ rangeKey }) => rangeKey && { ...rangeKey }, have: ({ rangeKey }) => rangeKey }),
  replaced({
    path: "localSecondaryIndexes",
    want: localIndexesWanted,
    have: ({ localIndexes }) => [...localIndexes],
  }),
  inPlace({
    path: "billingMode",
    want: billingMode,
    have: (table) => table.billingMode,
    unset: "PAY_PER_REQUEST",
  }),
  inPlace({
    path: "provisionedThroughput",
    want: ({ provisionedThroughput: units }) => units && { ...units },
    have: ({ throughput }) => throughput,
  }),
  inPlace({
    path: "onDemandThroughput",
    want: ({ onDemandThroughput: ceilings }) => present(ceilings ?? {}),
    have: ({ onDemand }) => onDemand,
    unset: null,
  }),
  inPlace({
    path: "globalSecondaryIndexes",
    want: indexesWanted,
    have: ({ indexes }) =>
      indexes
        .map(({ name, shape, throughput, onDemand }) => ({
          indexName: name,
          ...shape,
          ...(throughput && { provisionedThroughput: throughput }),
          ...(onDemand && { onDemandThroughput: onDemand }),
        }))
        .toSorted((one, other) => (one.indexName < other.indexName ? -1 : 1)),
    same: sameIndexes,
    unset: [],
  }),
  inPlace({
    path: "streamEnabled",
    want: ({ streamEnabled }) => streamEnabled,
    have: ({ streamViewType }) => streamViewType !== undefined,
    unset: false,
  }),
  // Means nothing while there is no stream.
  inPlace({
    path: "streamViewType",
    want: ({ streamEnabled, streamViewType }) => (streamEnabled === true ? streamViewType : undefined),
    have: ({ streamViewType }) => streamViewType,
    same: (want, have) => have === undefined || want === have,
    unset: DEFAULT_VIEW,
  }),
  inPlace({
    path: "pointInTimeRecovery",
    want: ({ pointInTimeRecovery }) => pointInTimeRecovery,
    have: ({ recoveryDays }) => recoveryDays !== undefined && recoveryDays > 0,
    unset: false,
  }),
  // Means nothing while there is no recovery.
  inPlace({
    path: "recoveryPeriodInDays",
    want: ({ pointInTimeRecovery, recoveryPeriodInDays: days }) => (pointInTimeRecovery === true ? days : undefined),
    have: ({ recoveryDays }) => recoveryDays || undefined,
    same: (want, have) => have === undefined || want === have,
    unset: LONGEST_RECOVERY,
  }),
  inPlace({
    path: "timeToLive",
    want: ({ timeToLive }) =>
      timeToLive &&
      (timeToLive.enabled ? { enabled: true, attributeName: timeToLive.attributeName } : { enabled: false }),
    have: ({ timeToLive }) => timeToLive,
    unset: { enabled: false },
  }),
  inPlace({
    path: "serverSideEncryption.enabled",
    want: ({ serverSideEncryption }) => serverSideEncryption?.enabled,
    have: ({ key }) => key !== undefined,
    unset: false,
  }),
  inPlace({
    path: "serverSideEncryption.kmsMasterKeyId",
    want: ({ serverSideEncryption }) => serverSideEncryption?.kmsMasterKeyId,
    have: ({ key }) => key,
    same: (want, have) => have === want || String(have).endsWith(`:key/${String(want)}`),
  }),
  inPlace({
    path: "tableClass",
    want: ({ tableClass }) => tableClass,
    have: ({ tableClass }) => tableClass,
    unset: "STANDARD",
  }),
  inPlace({
    path: "deletionProtection",
    want: ({ deletionProtection }) => deletionProtection,
    have: ({ isProtected }) => isProtected,
    unset: false,
  }),
];

/** The stream that a spec wants once it has one. */
export function viewWanted(wanted: ReadonlyMap<string, Json>): string {
  return String(wanted.get("streamViewType") ?? DEFAULT_VIEW);
}

/** The members that are there; undefined when there is none. */
function present(values: Immutable<JsonObject>): JsonObject | undefined {
  const there = Object.entries(values).filter(([, value]) => value !== undefined);
  return there.length === 0 ? undefined : (Object.fromEntries(there) as JsonObject);
}
