import type { Operations } from "@gatewright/aws-wire/types/rds";
import type { TaggedResources } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import type { Records } from "../state/state.ts";
import { parseArn, rdsArn } from "./arn.ts";
import type { Kind } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { Tags } from "./records.ts";
import { invalidValue, noInstance, noParameterGroup, noSnapshot, noSubnetGroup } from "./refusals.ts";
import { tagList, withTags } from "./tags.ts";

/** Something with tags, wherever it is kept. */
interface Tagged {
  readonly tags: Tags;
  readonly put: (tags: Tags) => Promise<void>;
}

/** Tags of instances, snapshots and groups, by ARN. */
export function tagOperations(ground: Ground): Handlers<Operations> {
  const find = (arn: string, place: Place): Tagged => {
    const parts = parseArn(arn);
    if (parts === undefined) throw invalidValue(`Invalid resource name: ${arn}`);
    const here = parts.account === place.account && parts.region === place.region;
    const found = here ? taggedAt(ground, parts) : undefined;
    if (found === undefined) throw absent(parts);
    return found;
  };
  return {
    ListTagsForResource: (input, context) => ({ TagList: tagList(find(input.ResourceName, context).tags) }),
    async AddTagsToResource(input, context) {
      const { tags, put } = find(input.ResourceName, context);
      await put(withTags(tags, input.Tags));
      return {};
    },
    async RemoveTagsFromResource(input, context) {
      const { tags, put } = find(input.ResourceName, context);
      await put(tags.filter(([key]) => !input.TagKeys.includes(key)));
      return {};
    },
  };
}

/** All of RDS for the tagging API. */
export function taggedDatabases(ground: Ground): TaggedResources {
  const { store, world } = ground;
  const found = (arn: string): Tagged | undefined => {
    const parts = parseArn(arn);
    return parts && taggedAt(ground, parts);
  };
  return {
    *list(account, region) {
      const place = { account, region };
      const told = (kind: Kind, name: string, tags: Tags) => ({ arn: rdsArn(place, kind, name), tags: new Map(tags) });
      for (const { facts, tags } of store.instancesIn(place, world.clock.now())) {
        yield told("db", facts.DBInstanceIdentifier, tags);
      }
      for (const [, { facts, tags }] of store.snapshots.list(`${placeKey(place)}/`)) {
        yield told("snapshot", facts.DBSnapshotIdentifier, tags);
      }
      for (const [, { name, tags }] of store.subnetGroups.list(`${placeKey(place)}/`)) yield told("subgrp", name, tags);
      for (const [, { name, tags }] of store.parameterGroups.list(`${placeKey(place)}/`)) yield told("pg", name, tags);
    },
    async tag(arn, added) {
      const one = found(arn);
      await one?.put(withTags(one.tags, tagList([...added])));
      return one !== undefined;
    },
    async untag(arn, keys) {
      const one = found(arn);
      await one?.put(one.tags.filter(([key]) => !keys.includes(key)));
      return one !== undefined;
    },
  };
}

function taggedAt(
  ground: Ground,
  { kind, name, ...place }: Place & { readonly kind: Kind; readonly name: string },
): Tagged | undefined {
  const { store, world } = ground;
  const kept = <T extends { readonly tags: Tags }>(records: Records<T>): Tagged | undefined => {
    const key = `${placeKey(place)}/${name}`;
    const record = records.get(key);
    return (
      record && {
        tags: record.tags,
        put: (tags) => store.commit((commit) => commit.put(records, key, { ...record, tags })),
      }
    );
  };
  switch (kind) {
    case "db": {
      const now = world.clock.now();
      const record = store.instance(place, name, now);
      return (
        record && {
          tags: record.tags,
          put: (tags) => store.commit((commit) => store.putInstance(commit, { ...record, tags }, now)),
        }
      );
    }
    case "snapshot":
      return kept(store.snapshots);
    case "subgrp":
      return kept(store.subnetGroups);
    case "pg":
      return kept(store.parameterGroups);
  }
}

function absent({ kind, name }: { readonly kind: Kind; readonly name: string }): Error {
  switch (kind) {
    case "db":
      return noInstance(name);
    case "snapshot":
      return noSnapshot(name);
    case "subgrp":
      return noSubnetGroup(name);
    case "pg":
      return noParameterGroup(name);
  }
}
