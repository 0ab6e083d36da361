import type { Operations } from "@gatewright/aws-wire/types/dynamodb";
import type { TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { batchOperations } from "./batch-operations.ts";
import { featureOperations } from "./feature-operations.ts";
import { itemOperations } from "./item-operations.ts";
import { queryOperations } from "./query-operations.ts";
import { DynamoStore } from "./store.ts";
import { tableOperations } from "./table-operations.ts";
import { taggedTables, tagOperations } from "./tag-operations.ts";
import { transactOperations } from "./transact-operations.ts";

export interface DynamoDb {
  readonly service: Service;
  readonly tagged: TaggedResources;
}

/** DynamoDB: the life of tables, and items enough to see that they work. */
export function createDynamoDb(world: AwsWorld): DynamoDb {
  const store = new DynamoStore(world);
  return {
    service: service<Operations>("dynamodb", {
      ...tableOperations(world, store),
      ...featureOperations(world, store),
      ...itemOperations(store),
      ...batchOperations(store),
      ...transactOperations(world, store),
      ...queryOperations(store),
      ...tagOperations(world, store),
    }),
    tagged: taggedTables(store),
  };
}
