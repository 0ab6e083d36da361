import type { Operations, TableDescription } from "@gatewright/aws-wire/types/dynamodb";
import { lateReads } from "../late-reads.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { createTable } from "./create-table.ts";
import { itemsSize } from "./item-size.ts";
import { DURATIONS, statusAt } from "./life.ts";
import type { TableRecord } from "./records.ts";
import { inUse, invalid } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { tableTold } from "./table-shape.ts";
import { updatedTable } from "./update-table.ts";

/** How far descriptions and lists are behind. */
export const LAG = 2_000;
const NAMES_PER_PAGE = 100;

/** Tables themselves. */
export function tableOperations(world: AwsWorld, store: DynamoStore): Handlers<Operations> {
  const { clock, pace } = world;
  const late = lateReads(world, LAG);
  const told = (table: TableRecord): TableDescription => tableTold(table, clock.now(), itemsSize(store, table));
  return {
    CreateTable: async (input, context) => ({
      TableDescription: told(await createTable(world, store, context, input)),
    }),
    UpdateTable: async (input, context) => {
      const table = store.activeTable(context, input.TableName);
      const next = updatedTable(world, table, input);
      await store.commit((commit) => store.put(commit, next));
      return { TableDescription: told(next) };
    },
    DescribeTable: late(({ TableName }: Operations["DescribeTable"]["input"], context: CallContext) => ({
      Table: told(store.table(context, TableName)),
    })),
    ListTables: late(
      ({ ExclusiveStartTableName: after, Limit }: Operations["ListTables"]["input"], context: CallContext) => {
        const rest = store
          .tablesIn(context)
          .map(({ name }) => name)
          .filter((name) => after === undefined || name > after);
        const shown = rest.slice(0, Limit ?? NAMES_PER_PAGE);
        const last = shown.at(-1);
        return { TableNames: shown, ...(rest.length > shown.length && { LastEvaluatedTableName: last }) };
      },
    ),
    DeleteTable: async ({ TableName }, context) => {
      const table = store.table(context, TableName);
      const now = clock.now();
      const status = statusAt(table, now);
      if (status === "DELETING") return { TableDescription: told(table) };
      if (status !== "ACTIVE") throw inUse(status, table.name);
      if (table.isProtected) {
        throw invalid(
          "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
        );
      }
      const dying = { ...table, phase: { status: "DELETING", until: now + DURATIONS.deleting * pace.durations } };
      await store.commit((commit) => {
        store.put(commit, dying);
        for (const [key] of store.items.list(`${table.id}|`)) commit.delete(store.items, key);
      });
      return { TableDescription: { ...told(dying), TableStatus: "DELETING" } };
    },
    DescribeLimits: () => ({
      AccountMaxReadCapacityUnits: 80_000,
      AccountMaxWriteCapacityUnits: 80_000,
      TableMaxReadCapacityUnits: 40_000,
      TableMaxWriteCapacityUnits: 40_000,
    }),
  };
}
