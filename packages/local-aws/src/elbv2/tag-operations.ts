import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { TaggedResources } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import { scopeOf } from "./arn.ts";
import type { Place } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { invalid, noListener, noLoadBalancer, noRule, noTargetGroup } from "./refusals.ts";
import type { ElbStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

const MOST_RESOURCES = 20;

/** Adds, removes and tells tags of load balancers, target groups, listeners and rules. */
export function tagOperations({
  store,
}: Ground): Handlers<Pick<Operations, "AddTags" | "RemoveTags" | "DescribeTags">> {
  return {
    async AddTags(input, context) {
      const arns = known(store, context, input.ResourceArns);
      const next = arns.map((arn) => [arn, withTags(store.tags.get(arn) ?? [], input.Tags)] as const);
      await store.commit((commit) => {
        for (const [arn, tags] of next) commit.put(store.tags, arn, tags);
      });
      return {};
    },
    async RemoveTags(input, context) {
      const arns = known(store, context, input.ResourceArns);
      await store.commit((commit) => {
        for (const arn of arns) commit.put(store.tags, arn, without(store, arn, input.TagKeys));
      });
      return {};
    },
    DescribeTags: (input, context) => ({
      TagDescriptions: known(store, context, input.ResourceArns).map((arn) => ({
        ResourceArn: arn,
        Tags: (store.tags.get(arn) ?? []).map(([Key, Value]) => ({ Key, Value })),
      })),
    }),
  };
}

/** The same for the tagging API. */
export function taggedResources(store: ElbStore): TaggedResources {
  return {
    *list(account, region) {
      for (const [arn, tags] of store.tags.list(scopeOf({ account, region }))) {
        if (tags.length > 0) yield { arn, tags: new Map(tags) };
      }
    },
    async tag(arn, tags) {
      if (!exists(store, arn)) return false;
      const added = [...tags].map(([Key, Value]) => ({ Key, Value }));
      const next = withTags(store.tags.get(arn) ?? [], added);
      await store.commit((commit) => commit.put(store.tags, arn, next));
      return true;
    },
    async untag(arn, keys) {
      if (!exists(store, arn)) return false;
      await store.commit((commit) => commit.put(store.tags, arn, without(store, arn, keys)));
      return true;
    },
  };
}

function without(store: ElbStore, arn: string, keys: readonly string[]): (readonly [string, string])[] {
  return (store.tags.get(arn) ?? []).filter(([key]) => !keys.includes(key));
}

function exists(store: ElbStore, arn: string): boolean {
  return [store.loadBalancers, store.listeners, store.rules, store.groups].some((kind) => kind.get(arn) !== undefined);
}

function known(store: ElbStore, place: Place, arns: readonly string[]): readonly string[] {
  if (arns.length > MOST_RESOURCES) throw invalid(`At most ${MOST_RESOURCES} resources can be specified`);
  for (const arn of arns) {
    if (arn.startsWith(scopeOf(place)) && exists(store, arn)) continue;
    const kind = /:(loadbalancer|targetgroup|listener|listener-rule)\//.exec(arn)?.[1];
    if (kind === "loadbalancer") throw noLoadBalancer(arn);
    if (kind === "targetgroup") throw noTargetGroup();
    if (kind === "listener") throw noListener();
    if (kind === "listener-rule") throw noRule();
    throw invalid(`'${arn}' is not a valid resource ARN`);
  }
  return arns;
}
