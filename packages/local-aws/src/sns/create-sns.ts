import type { Operations } from "@gatewright/aws-wire/types/sns";
import type { QueueInlets, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { publishOperations } from "./publish-operations.ts";
import { SnsStore } from "./store.ts";
import { subscriptionOperations } from "./subscription-operations.ts";
import { taggedTopics, tagOperations } from "./tag-operations.ts";
import { topicOperations } from "./topic-operations.ts";

export interface Sns {
  readonly service: Service;
  readonly tagged: TaggedResources;
}

/** SNS: topics whose messages reach queues. Other endpoints can subscribe, and get nothing. */
export function createSns(world: AwsWorld, { queues }: { readonly queues?: QueueInlets } = {}): Sns {
  const store = new SnsStore(world);
  return {
    service: service<Operations>("sns", {
      ...topicOperations(world, store),
      ...subscriptionOperations(world, store),
      ...publishOperations(world, store, queues),
      ...tagOperations(store),
    }),
    tagged: taggedTopics(store),
  };
}
