import type { DBSubnetGroup, Operations } from "@gatewright/aws-wire/types/rds";
import { AwsError } from "../aws-error.ts";
import type { SubnetFacts } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import { rdsArn } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { page, filtered } from "./page.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { SubnetGroupRecord } from "./records.ts";
import { invalidValue, noSubnetGroup } from "./refusals.ts";
import { withTags } from "./tags.ts";

const DEFAULT = "default";

/** Groups of subnets that instances are put into. */
export function subnetGroups(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateDBSubnetGroup(input, context) {
      const name = input.DBSubnetGroupName.toLowerCase();
      if (name === DEFAULT || !/^[a-z0-9][a-z0-9 ._-]{0,254}$/.test(name)) {
        throw invalidValue(`The parameter DBSubnetGroupName is not a valid identifier: ${input.DBSubnetGroupName}`);
      }
      if (store.subnetGroups.get(`${placeKey(context)}/${name}`) !== undefined) {
        throw new AwsError("DBSubnetGroupAlreadyExists", `The DB subnet group '${name}' already exists.`);
      }
      const subnets = input.SubnetIds.map((id, i) => subnetFacts(ground, context, id, i));
      if (new Set(subnets.map(({ zone }) => zone)).size < 2) {
        throw new AwsError(
          "DBSubnetGroupDoesNotCoverEnoughAZs",
          "The DB subnet group doesn't meet Availability Zone (AZ) coverage requirement. Current AZ coverage: 1. Add subnets to cover at least 2 AZs.",
        );
      }
      const [vpcId = "", ...others] = new Set(subnets.map((subnet) => subnet.vpcId));
      if (others.length > 0) throw new AwsError("InvalidSubnet", "Subnets in a subnet group must be in the same VPC.");
      const record: SubnetGroupRecord = {
        account: context.account,
        region: context.region,
        name,
        description: input.DBSubnetGroupDescription,
        vpcId,
        subnets: subnets.map(({ id, zone }) => ({ id, zone })),
        tags: withTags([], input.Tags ?? []),
      };
      await store.commit((commit) => commit.put(store.subnetGroups, `${placeKey(context)}/${name}`, record));
      return { DBSubnetGroup: subnetGroupTold(record) };
    },

    DescribeDBSubnetGroups(input, context) {
      const name = input.DBSubnetGroupName;
      const all = store.subnetGroups.list(`${placeKey(context)}/`).map(([, group]) => group);
      const shown = name === undefined ? all : [subnetGroupOf(ground, context, name)];
      const { items, marker } = page(filtered(shown, input.Filters, new Map()), (group) => group.name, input);
      return { DBSubnetGroups: items.map(subnetGroupTold), ...marker };
    },

    async DeleteDBSubnetGroup(input, context) {
      const { name } = subnetGroupOf(ground, context, input.DBSubnetGroupName);
      const users = store.instancesIn(context, world.clock.now()).filter(({ subnetGroup }) => subnetGroup === name);
      if (users.length > 0 || name === DEFAULT) {
        throw new AwsError(
          "InvalidDBSubnetGroupStateFault",
          `Cannot delete the subnet group '${name}' because at least one database instance: ${users[0]?.facts.DBInstanceIdentifier ?? ""} is still using it.`,
        );
      }
      await store.commit((commit) => commit.delete(store.subnetGroups, `${placeKey(context)}/${name}`));
      return {};
    },
  };
}

/** The group of a name; `default` is the default VPC. */
export function subnetGroupOf(ground: Ground, place: Place, name: string): SubnetGroupRecord {
  const found = ground.store.subnetGroups.get(`${placeKey(place)}/${name.toLowerCase()}`);
  if (found !== undefined) return found;
  if (name.toLowerCase() !== DEFAULT) throw noSubnetGroup(name);
  const subnets = defaultSubnets(ground, place);
  return {
    account: place.account,
    region: place.region,
    name: DEFAULT,
    description: DEFAULT,
    vpcId: subnets[0]?.vpcId ?? "",
    subnets: subnets.map(({ id, zone }) => ({ id, zone })),
    tags: [],
  };
}

export function subnetGroupTold(group: SubnetGroupRecord): DBSubnetGroup {
  return {
    DBSubnetGroupName: group.name,
    DBSubnetGroupDescription: group.description,
    VpcId: group.vpcId,
    SubnetGroupStatus: "Complete",
    Subnets: group.subnets.map(({ id, zone }) => ({
      SubnetIdentifier: id,
      SubnetAvailabilityZone: { Name: zone },
      SubnetOutpost: {},
      SubnetStatus: "Active",
    })),
    DBSubnetGroupArn: rdsArn(group, "subgrp", group.name),
    SupportedNetworkTypes: ["IPV4"],
  };
}

function defaultSubnets({ networks }: Ground, { account, region }: Place): readonly SubnetFacts[] {
  if (networks === undefined) {
    return ["a", "b"].map((letter) => ({
      id: `subnet-default${letter}`,
      zone: `${region}${letter}`,
      vpcId: "vpc-default",
    }));
  }
  const subnets = networks.defaultSubnets(account, region);
  if (subnets.length === 0) {
    throw new AwsError(
      "InvalidSubnet",
      "No default subnet detected in VPC. Please contact AWS Support to recreate the default Subnets.",
    );
  }
  return subnets;
}

function subnetFacts({ networks }: Ground, { account, region }: Place, id: string, index: number): SubnetFacts {
  const believed = { id, zone: `${region}${"abc"[index % 3]}`, vpcId: "vpc-default" };
  const facts = networks === undefined ? believed : networks.subnet(account, region, id);
  if (facts === undefined || !/^subnet-[0-9a-z]+$/.test(id)) {
    throw new AwsError(
      "InvalidSubnet",
      `The requested subnet is invalid, or multiple subnets were requested that are not all in a common VPC: ${id}`,
    );
  }
  return facts;
}
