import type { TableRecord } from "./records.ts";

interface Asks {
  readonly ReturnConsumedCapacity?: string | undefined;
}

/** What a call is said to have used, when it asks. */
export function consumed(input: Asks, { name }: TableRecord, units: number) {
  return isAsked(input) ? { ConsumedCapacity: { TableName: name, CapacityUnits: units } } : undefined;
}

/** The same of a call that takes so many units for each of many items; `tables` has the table of each item. */
export function consumedByTables(input: Asks, tables: readonly TableRecord[], units: number) {
  if (!isAsked(input)) return undefined;
  const totals = new Map<string, number>();
  for (const { name } of tables) totals.set(name, (totals.get(name) ?? 0) + units);
  return {
    ConsumedCapacity: [...totals].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits })),
  };
}

function isAsked({ ReturnConsumedCapacity: wanted }: Asks): boolean {
  return wanted === "TOTAL" || wanted === "INDEXES";
}
