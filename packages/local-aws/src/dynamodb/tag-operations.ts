import type { Operations } from "@gatewright/aws-wire/types/dynamodb";
import { lateReads } from "../late-reads.ts";
import type { TaggedResources } from "../neighbours.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { readTableArn, tableArn } from "./arn.ts";
import { statusAt } from "./life.ts";
import { LAG } from "./table-operations.ts";
import type { Pairs, TableRecord } from "./records.ts";
import { invalid, noResource } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

const TAGS_PER_PAGE = 10;

/** Tags of tables. */
export function tagOperations(world: AwsWorld, store: DynamoStore): Handlers<Operations> {
  const late = lateReads(world, LAG);
  const find = ({ account, region }: CallContext, arn: string): TableRecord => {
    const named = readTableArn(arn);
    if (named === undefined)
      throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${arn.slice(0, 256)}`);
    const found = named.account === account && named.region === region ? store.find(named, named.name) : undefined;
    if (found === undefined) throw noResource(arn);
    return found;
  };
  return {
    TagResource: async ({ ResourceArn, Tags }, context) => {
      const table = find(context, ResourceArn);
      await put(store, table, withTags(table.tags, Tags));
      return {};
    },
    UntagResource: async ({ ResourceArn, TagKeys }, context) => {
      const table = find(context, ResourceArn);
      await put(store, table, without(table, TagKeys));
      return {};
    },
    ListTagsOfResource: late(
      ({ ResourceArn, NextToken }: Operations["ListTagsOfResource"]["input"], context: CallContext) => {
        const table = find(context, ResourceArn);
        const { tags } = table;
        // Whose a table is is not told while it comes or goes.
        const status = statusAt(table, world.clock.now());
        if (status === "CREATING" || status === "DELETING") throw noResource(ResourceArn);
        const from = NextToken === undefined ? 0 : Number(NextToken);
        if (!Number.isSafeInteger(from) || from < 0) throw invalid("Invalid NextToken");
        const next = from + TAGS_PER_PAGE;
        return {
          Tags: tags.slice(from, next).map(([Key, Value]) => ({ Key, Value })),
          ...(tags.length > next && { NextToken: String(next) }),
        };
      },
    ),
  };
}

/** Tables for the tagging API. */
export function taggedTables(store: DynamoStore): TaggedResources {
  const change = async (arn: string, tagsOf: (table: TableRecord) => Pairs): Promise<boolean> => {
    const named = readTableArn(arn);
    const table = named && store.find(named, named.name);
    if (table === undefined) return false;
    await put(store, table, tagsOf(table));
    return true;
  };
  return {
    *list(account, region) {
      for (const table of store.tablesIn({ account, region })) {
        yield { arn: tableArn(table, table.name), tags: new Map(table.tags) };
      }
    },
    tag: (arn, tags) =>
      change(arn, (table) =>
        withTags(
          table.tags,
          [...tags].map(([Key, Value]) => ({ Key, Value })),
        ),
      ),
    untag: (arn, keys) => change(arn, (table) => without(table, keys)),
  };
}

function without({ tags }: TableRecord, keys: readonly string[]): Pairs {
  return tags.filter(([key]) => !keys.includes(key));
}

function put(store: DynamoStore, table: TableRecord, tags: Pairs): Promise<void> {
  return store.commit((commit) => store.put(commit, { ...table, tags }));
}
