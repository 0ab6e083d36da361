import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { TaggedResources } from "../neighbours.ts";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { checkId, kindOf, notFound } from "./ids.ts";
import { livingInstances } from "./living-instances.ts";
import { page } from "./page.ts";
import { checkTellable, tagList, withTags } from "./tags.ts";

/** Tags of everything that has an id. */
export function tagOperations(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    async CreateTags(input, context) {
      checkResources(ground, context, input.Resources);
      for (const id of input.Resources) {
        const options = store.instances.get(context, id)?.metadataOptions;
        if (options) checkTellable(options, withTags([], input.Tags));
      }
      await store.commit((commit) => {
        for (const id of input.Resources) {
          store.tags.put(commit, context, id, withTags(store.tags.get(context, id) ?? [], input.Tags));
        }
      });
      return {};
    },

    /** A tag with a value goes only when it has that value; without tags all go. */
    async DeleteTags(input, context) {
      checkResources(ground, context, input.Resources);
      const goes = (key: string, value: string): boolean =>
        input.Tags === undefined ||
        input.Tags.some((tag) => tag.Key === key && (tag.Value === undefined || tag.Value === value));
      await store.commit((commit) => {
        for (const id of input.Resources) {
          const left = (store.tags.get(context, id) ?? []).filter(([key, value]) => !goes(key, value));
          store.tags.put(commit, context, id, left);
        }
      });
      return {};
    },

    DescribeTags(input, context) {
      const there = existingIds(ground, context);
      const all = store.tags
        .ids(context)
        .filter(([id]) => there.has(id))
        .flatMap(([id, tags]) => tags.map(([key, value]) => ({ id, key, value, type: kindOf(id) ?? "" })));
      const table = new Map([
        ["resource-id", ({ id }: (typeof all)[number]) => [id]],
        ["resource-type", ({ type }: (typeof all)[number]) => [type]],
        ["key", ({ key }: (typeof all)[number]) => [key]],
        ["value", ({ value }: (typeof all)[number]) => [value]],
      ]);
      const found = filtered(all, input.Filters, table, ({ key, value }) => [[key, value]]);
      const { items, next } = page(found, ({ id, key }) => `${id} ${key}`, input);
      return {
        Tags: items.map(({ id, key, value, type }) => ({ ResourceId: id, ResourceType: type, Key: key, Value: value })),
        ...next,
      };
    },
  };
}

/** All of EC2 for the tagging API. */
export function taggedResources(ground: Ground): TaggedResources {
  const { store } = ground;
  const retag = async (arn: string, change: (tags: Map<string, string>) => void): Promise<boolean> => {
    const [, region, account, id] =
      /^arn:aws[a-z-]*:ec2:([a-z0-9-]+):(\d{12}):[a-z-]+\/([a-z]+-[0-9a-f]+)$/.exec(arn) ?? [];
    if (region === undefined || account === undefined || id === undefined) return false;
    const place = { account, region };
    if (!existingIds(ground, place).has(id)) return false;
    const tags = new Map(store.tags.get(place, id));
    change(tags);
    const checked = withTags([], tagList([...tags]));
    await store.commit((commit) => store.tags.put(commit, place, id, checked));
    return true;
  };
  return {
    *list(account, region) {
      const place = { account, region };
      for (const id of existingIds(ground, place)) {
        const arn = `arn:${partitionOf(region)}:ec2:${region}:${account}:${kindOf(id) ?? ""}/${id}`;
        yield { arn, tags: new Map(store.tags.get(place, id)) };
      }
    },
    tag: (arn, added) =>
      retag(arn, (tags) => {
        for (const [key, value] of added) tags.set(key, value);
      }),
    untag: (arn, keys) =>
      retag(arn, (tags) => {
        for (const key of keys) tags.delete(key);
      }),
  };
}

/** Ids of everything that is there and can be tagged. */
function existingIds(ground: Ground, place: Place): ReadonlySet<string> {
  const { store, world } = ground;
  const now = world.clock.now();
  const instances = livingInstances(ground, place);
  const volumes = store.volumes
    .list(place)
    .filter(
      ({ releasedAt = Number.POSITIVE_INFINITY, deleteOnTermination }) => !deleteOnTermination || now < releasedAt,
    );
  const named = [store.vpcs, store.subnets, store.groups, store.addresses].flatMap((shelf) =>
    shelf.list(place).map(({ id }) => id),
  );
  return new Set([
    ...named,
    ...store.keys.list(place).map(({ id }) => id),
    ...store.groups.list(place).flatMap(({ rules }) => rules.map(({ id }) => id)),
    ...instances.flatMap(({ id, interfaceId }) => [id, interfaceId]),
    ...volumes.map(({ id }) => id),
  ]);
}

function checkResources(ground: Ground, place: Place, ids: readonly string[]): void {
  const there = existingIds(ground, place);
  for (const id of ids) {
    const kind = kindOf(id);
    if (kind === undefined) throw new AwsError("InvalidID", `The ID '${id}' is not valid`);
    checkId(kind, id);
    if (!there.has(id)) throw notFound(kind, [id]);
  }
}
