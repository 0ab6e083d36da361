import type { DBParameterGroup, Operations } from "@gatewright/aws-wire/types/rds";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { rdsArn } from "./arn.ts";
import { engines, familyOf } from "./engines.ts";
import type { Ground } from "./ground.ts";
import { identifierOf } from "./instance-rules.ts";
import { filtered, page } from "./page.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { ParameterGroupRecord } from "./records.ts";
import { invalidValue, noParameterGroup } from "./refusals.ts";
import { withTags } from "./tags.ts";

/** Groups of parameters, without the parameters: what instances refer to. */
export function parameterGroups(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateDBParameterGroup(input, context) {
      const name = identifierOf(input.DBParameterGroupName, "DBParameterGroupName", 255);
      if (!families().includes(input.DBParameterGroupFamily)) {
        throw invalidValue(
          `ParameterGroupFamily ${input.DBParameterGroupFamily} is not a valid parameter group family`,
        );
      }
      if (store.parameterGroups.get(`${placeKey(context)}/${name}`) !== undefined) {
        throw new AwsError("DBParameterGroupAlreadyExists", `Parameter group ${name} already exists`);
      }
      const record: ParameterGroupRecord = {
        account: context.account,
        region: context.region,
        name,
        family: input.DBParameterGroupFamily,
        description: input.Description,
        tags: withTags([], input.Tags ?? []),
      };
      await store.commit((commit) => commit.put(store.parameterGroups, `${placeKey(context)}/${name}`, record));
      return { DBParameterGroup: groupTold(record) };
    },

    DescribeDBParameterGroups(input, context) {
      const name = input.DBParameterGroupName;
      const all = store.parameterGroups.list(`${placeKey(context)}/`).map(([, group]) => group);
      const shown = name === undefined ? all : [parameterGroupOf(ground, context, name)];
      const { items, marker } = page(filtered(shown, input.Filters, new Map()), (group) => group.name, input);
      return { DBParameterGroups: items.map(groupTold), ...marker };
    },

    async DeleteDBParameterGroup(input, context) {
      const { name } = parameterGroupOf(ground, context, input.DBParameterGroupName);
      const used = store.instancesIn(context, world.clock.now()).some(({ parameterGroup }) => parameterGroup === name);
      if (used || name.startsWith("default.")) {
        throw new AwsError(
          "InvalidDBParameterGroupState",
          used
            ? "One or more database instances are still members of this parameter group, so the group cannot be deleted"
            : "Default DBParameterGroup cannot be deleted",
        );
      }
      await store.commit((commit) => commit.delete(store.parameterGroups, `${placeKey(context)}/${name}`));
      return {};
    },
  };
}

/** The group of a name. Every family has one to begin with: `default.postgres16`. */
export function parameterGroupOf({ store }: Ground, place: Place, name: string): ParameterGroupRecord {
  const found = store.parameterGroups.get(`${placeKey(place)}/${name.toLowerCase()}`);
  if (found !== undefined) return found;
  const family = families().find((one) => `default.${one}` === name.toLowerCase());
  if (family === undefined) throw noParameterGroup(name);
  return {
    account: place.account,
    region: place.region,
    name: `default.${family}`,
    family,
    description: `Default parameter group for ${family}`,
    tags: [],
  };
}

function families(): readonly string[] {
  return engines().flatMap((engine) => engine.versions.map((version) => familyOf(engine, version)));
}

function groupTold(group: ParameterGroupRecord): DBParameterGroup {
  return {
    DBParameterGroupName: group.name,
    DBParameterGroupFamily: group.family,
    Description: group.description,
    DBParameterGroupArn: rdsArn(group, "pg", group.name),
  };
}
