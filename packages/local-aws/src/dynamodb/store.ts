import type { CallContext } from "../service.ts";
import type { Commit, Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";
import { readTableArn, tableName } from "./arn.ts";
import { settled, statusAt } from "./life.ts";
import type { Item, Place, TableRecord } from "./records.ts";
import { inUse, noTable, noTableForItems } from "./refusals.ts";

/** All that DynamoDB remembers. Tables are keyed by place and name, items by their table's id and their key. */
export class DynamoStore {
  readonly tables: Records<TableRecord>;
  readonly items: Records<Item>;
  readonly #world: AwsWorld;

  constructor(world: AwsWorld) {
    this.#world = world;
    this.tables = world.state.records("dynamodb/tables");
    this.items = world.state.records("dynamodb/items");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#world.state.commit(change);
  }

  /** A table that is there, as it is now. */
  find(place: Place, name: string): TableRecord | undefined {
    const now = this.#world.clock.now();
    const found = this.tables.get(tableKey({ ...place, name }));
    return found === undefined || statusAt(found, now) === "gone" ? undefined : settled(found, now);
  }

  /** The table of a name or ARN; refuses when there is none. */
  table({ account, region }: CallContext, given: string): TableRecord {
    const name = tableName(given);
    const place = readTableArn(given) ?? { account, region };
    const found = place.account === account && place.region === region ? this.find(place, name) : undefined;
    if (found === undefined) throw noTable(name);
    return found;
  }

  /** A table that can be changed. */
  activeTable(context: CallContext, given: string): TableRecord {
    const table = this.table(context, given);
    const status = statusAt(table, this.#world.clock.now());
    if (status !== "ACTIVE") throw inUse(status, table.name);
    return table;
  }

  /** A table whose items can be reached. */
  tableOfItems({ account, region }: CallContext, given: string): TableRecord {
    const found = this.find({ account, region }, tableName(given));
    const status = found && statusAt(found, this.#world.clock.now());
    if (found === undefined || (status !== "ACTIVE" && status !== "UPDATING")) throw noTableForItems();
    return found;
  }

  /** Those that are there, by name. */
  tablesIn({ account, region }: Place): readonly TableRecord[] {
    const now = this.#world.clock.now();
    return this.tables
      .list(`${account}|${region}|`)
      .map(([, table]) => settled(table, now))
      .filter((table) => statusAt(table, now) !== "gone");
  }

  /** Keeps a table; those of its place that are gone are forgotten. */
  put(commit: Commit, table: TableRecord): void {
    const now = this.#world.clock.now();
    for (const [key, other] of this.tables.list(`${table.account}|${table.region}|`)) {
      if (statusAt(other, now) === "gone") commit.delete(this.tables, key);
    }
    commit.put(this.tables, tableKey(table), table);
  }
}

export function tableKey({ account, region, name }: Place & { readonly name: string }): string {
  return `${account}|${region}|${name}`;
}
