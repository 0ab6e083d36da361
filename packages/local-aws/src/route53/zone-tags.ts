import type { Operations, ResourceTagSet } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import type { TaggedResources } from "../neighbours.ts";
import type { CallContext, Handlers } from "../service.ts";
import { findZone } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";
import type { Zone } from "./zone.ts";

const MOST_TAGS = 50;
const MOST_AT_ONCE = 10;
/** Global resources are listed in this region. */
const HOME_REGION = "us-east-1";
const ARN = "arn:aws:route53:::hostedzone/";

/** Tags of zones. */
export function zoneTags(context: Route53Context): Handlers<Operations> {
  const tagSet = (type: string, id: string, call: CallContext): ResourceTagSet => {
    const zone = taggedZone(context, type, id, call);
    return { ResourceType: "hostedzone", ResourceId: zone.id, Tags: zone.tags.map(([Key, Value]) => ({ Key, Value })) };
  };
  return {
    ChangeTagsForResource: async ({ ResourceType, ResourceId, AddTags = [], RemoveTagKeys = [] }, call) => {
      const zone = taggedZone(context, ResourceType, ResourceId, call);
      if (AddTags.length + RemoveTagKeys.length === 0) {
        throw new AwsError("InvalidInput", "The request has neither tags to add nor tags to remove.");
      }
      if (AddTags.length > MOST_AT_ONCE || RemoveTagKeys.length > MOST_AT_ONCE) {
        throw new AwsError("InvalidInput", `At most ${MOST_AT_ONCE} tags can be added or removed at once.`);
      }
      const added = new Map(AddTags.map(({ Key = "", Value = "" }) => [Key, Value]));
      if (RemoveTagKeys.some((key) => added.has(key))) {
        throw new AwsError("InvalidInput", "A tag cannot be added and removed in one request.");
      }
      await writeTags(context, zone, added, RemoveTagKeys);
      return {};
    },
    ListTagsForResource: ({ ResourceType, ResourceId }, call) => ({
      ResourceTagSet: tagSet(ResourceType, ResourceId, call),
    }),
    ListTagsForResources: ({ ResourceType, ResourceIds }, call) => {
      if (ResourceIds.length > MOST_AT_ONCE)
        throw new AwsError("InvalidInput", `At most ${MOST_AT_ONCE} resources can be asked for.`);
      return { ResourceTagSets: ResourceIds.map((id) => tagSet(ResourceType, id, call)) };
    },
  };
}

/** Zones for the tagging API. */
export function taggedZones(context: Route53Context): TaggedResources {
  const { tables } = context;
  const zoneOf = (arn: string): Zone | undefined =>
    arn.startsWith(ARN) ? tables.zones.get(arn.slice(ARN.length)) : undefined;
  return {
    *list(account, region) {
      if (region !== HOME_REGION) return;
      for (const [, zone] of tables.zones.list()) {
        if (zone.account === account) yield { arn: `${ARN}${zone.id}`, tags: new Map(zone.tags) };
      }
    },
    tag: async (arn, tags) => {
      const zone = zoneOf(arn);
      if (zone) await writeTags(context, zone, tags, []);
      return zone !== undefined;
    },
    untag: async (arn, keys) => {
      const zone = zoneOf(arn);
      if (zone) await writeTags(context, zone, new Map(), keys);
      return zone !== undefined;
    },
  };
}

function taggedZone(context: Route53Context, type: string, id: string, call: CallContext): Zone {
  if (type === "hostedzone") return findZone(context, id, call);
  if (type !== "healthcheck") throw new AwsError("InvalidInput", `Unknown resource type: ${type.slice(0, 32)}`);
  throw new AwsError("NoSuchHealthCheck", `No health check exists with the specified ID: ${id.slice(0, 64)}`, {
    status: 404,
  });
}

async function writeTags(
  { world, tables }: Route53Context,
  zone: Zone,
  added: ReadonlyMap<string, string>,
  removed: readonly string[],
): Promise<void> {
  const tags = new Map(zone.tags);
  for (const key of removed) tags.delete(key);
  for (const [key, value] of added) {
    if (key === "" || key.length > 128 || value.length > 256 || key.toLowerCase().startsWith("aws:")) {
      throw new AwsError("InvalidInput", `The tag ${key.slice(0, 128)} is not valid.`);
    }
    tags.set(key, value);
  }
  if (tags.size > MOST_TAGS) throw new AwsError("InvalidInput", `A resource can have at most ${MOST_TAGS} tags.`);
  await world.state.commit((commit) => commit.put(tables.zones, zone.id, { ...zone, tags: [...tags] }));
}
