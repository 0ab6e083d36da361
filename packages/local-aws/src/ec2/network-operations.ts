import type { Operations, Subnet, Vpc } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import { contains, networkOf, overlaps } from "./cidr.ts";
import type { Network } from "./cidr.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { FilterTable } from "./filters.ts";
import { defaultGroup } from "./founding.ts";
import type { Ground } from "./ground.ts";
import { checkId, newId, notFound } from "./ids.ts";
import { stateAt } from "./instance-life.ts";
import { page } from "./page.ts";
import type { SubnetRecord, VpcRecord } from "./records.ts";
import { zoneIdOf, zonesOf } from "./regions.ts";
import { specifiedTags, tagList } from "./tags.ts";

const MOST_VPCS = 5;

const VPC_FILTERS: FilterTable<VpcRecord> = new Map<string, (record: VpcRecord) => readonly (string | boolean)[]>([
  ["vpc-id", ({ id }) => [id]],
  ["cidr", ({ cidr }) => [cidr]],
  ["cidr-block-association.cidr-block", ({ cidr }) => [cidr]],
  ["is-default", ({ isDefault }) => [isDefault]],
  ["isDefault", ({ isDefault }) => [isDefault]],
  ["state", () => ["available"]],
]);

const SUBNET_FILTERS: FilterTable<SubnetRecord> = new Map<
  string,
  (record: SubnetRecord) => readonly (string | boolean)[]
>([
  ["subnet-id", ({ id }) => [id]],
  ["vpc-id", ({ vpcId }) => [vpcId]],
  ["availability-zone", ({ zone }) => [zone]],
  ["availabilityZone", ({ zone }) => [zone]],
  ["cidr-block", ({ cidr }) => [cidr]],
  ["default-for-az", ({ isDefault }) => [isDefault]],
  ["map-public-ip-on-launch", ({ isDefault }) => [isDefault]],
  ["state", () => ["available"]],
]);

/** VPCs and their subnets. */
export function networkOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateVpc(input, context) {
      const network = rangeOf(input.CidrBlock ?? "", "InvalidVpc.Range");
      if (store.vpcs.list(context).length >= MOST_VPCS) {
        throw new AwsError("VpcLimitExceeded", "The maximum number of VPCs has been reached.");
      }
      const tags = specifiedTags(input.TagSpecifications, ["vpc"]).get("vpc") ?? [];
      const vpc: VpcRecord = {
        id: newId(world.random, "vpc"),
        cidr: network.text,
        isDefault: false,
        tenancy: input.InstanceTenancy ?? "default",
      };
      const group = defaultGroup(newId(world.random, "security-group"), vpc.id, context.account, () =>
        newId(world.random, "security-group-rule"),
      );
      await store.commit((commit) => {
        store.vpcs.put(commit, context, vpc.id, vpc);
        store.groups.put(commit, context, group.id, group);
        store.tags.put(commit, context, vpc.id, tags);
      });
      return { Vpc: { ...vpcTold(ground, context, vpc), State: "pending", Ipv6CidrBlockAssociationSet: [] } };
    },

    DescribeVpcs(input, context) {
      const tagsOf = ({ id }: VpcRecord) => store.tags.get(context, id) ?? [];
      const named = chosen("vpc", store.vpcs.list(context), ({ id }) => id, input.VpcIds);
      const { items, next } = page(filtered(named, input.Filters, VPC_FILTERS, tagsOf), ({ id }) => id, input);
      return { Vpcs: items.map((vpc) => vpcTold(ground, context, vpc)), ...next };
    },

    async DeleteVpc(input, context) {
      const vpc = vpcFor(ground, context, input.VpcId);
      const groups = store.groups.list(context).filter(({ vpcId }) => vpcId === vpc.id);
      const subnets = store.subnets.list(context).filter(({ vpcId }) => vpcId === vpc.id);
      if (subnets.length > 0 || groups.some(({ name }) => name !== "default")) {
        throw new AwsError("DependencyViolation", `The vpc '${vpc.id}' has dependencies and cannot be deleted.`);
      }
      await store.commit((commit) => {
        store.vpcs.delete(commit, context, vpc.id);
        store.tags.delete(commit, context, vpc.id);
        for (const { id } of groups) store.groups.delete(commit, context, id);
      });
      return {};
    },

    async CreateSubnet(input, context) {
      const vpc = vpcFor(ground, context, input.VpcId);
      const network = rangeOf(input.CidrBlock ?? "", "InvalidSubnet.Range");
      const outer = networkOf(vpc.cidr);
      if (outer && !contains(outer, network)) {
        throw new AwsError("InvalidSubnet.Range", `The CIDR '${network.text}' is invalid.`);
      }
      const siblings = store.subnets.list(context).filter(({ vpcId }) => vpcId === vpc.id);
      if (siblings.some(({ cidr }) => overlapsWith(cidr, network))) {
        throw new AwsError("InvalidSubnet.Conflict", `The CIDR '${network.text}' conflicts with another subnet`);
      }
      const zones = zonesOf(context.region);
      const wanted = input.AvailabilityZone ?? input.AvailabilityZoneId;
      const zone = wanted === undefined ? zones[0] : zones.find(({ name, id }) => name === wanted || id === wanted);
      if (zone === undefined) {
        throw new AwsError(
          "InvalidParameterValue",
          `Value (${wanted}) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: ${zones.map(({ name }) => name).join(", ")}.`,
        );
      }
      const tags = specifiedTags(input.TagSpecifications, ["subnet"]).get("subnet") ?? [];
      const subnet: SubnetRecord = {
        id: newId(world.random, "subnet"),
        vpcId: vpc.id,
        zone: zone.name,
        cidr: network.text,
        isDefault: false,
      };
      await store.commit((commit) => {
        store.subnets.put(commit, context, subnet.id, subnet);
        store.tags.put(commit, context, subnet.id, tags);
      });
      return { Subnet: subnetTold(ground, context, subnet) };
    },

    DescribeSubnets(input, context) {
      const tagsOf = ({ id }: SubnetRecord) => store.tags.get(context, id) ?? [];
      const named = chosen("subnet", store.subnets.list(context), ({ id }) => id, input.SubnetIds);
      const { items, next } = page(filtered(named, input.Filters, SUBNET_FILTERS, tagsOf), ({ id }) => id, input);
      return { Subnets: items.map((subnet) => subnetTold(ground, context, subnet)), ...next };
    },

    async DeleteSubnet(input, context) {
      checkId("subnet", input.SubnetId);
      const subnet = store.subnets.get(context, input.SubnetId);
      if (subnet === undefined) throw notFound("subnet", [input.SubnetId]);
      if (inhabitants(ground, context, subnet).length > 0) {
        throw new AwsError("DependencyViolation", `The subnet '${subnet.id}' has dependencies and cannot be deleted.`);
      }
      await store.commit((commit) => {
        store.subnets.delete(commit, context, subnet.id);
        store.tags.delete(commit, context, subnet.id);
      });
      return {};
    },
  };
}

export function vpcFor({ store }: Ground, place: Place, id: string): VpcRecord {
  checkId("vpc", id);
  const vpc = store.vpcs.get(place, id);
  if (vpc === undefined) throw notFound("vpc", [id]);
  return vpc;
}

/** Addresses of a subnet that are taken. */
export function inhabitants({ store, world }: Ground, place: Place, { id }: SubnetRecord): readonly string[] {
  const now = world.clock.now();
  return store.instances
    .list(place)
    .filter(({ subnetId, life }) => subnetId === id && !["terminated", "gone"].includes(stateAt(life, now)))
    .map(({ privateIp }) => privateIp);
}

function rangeOf(text: string, code: string): Network {
  const network = networkOf(text);
  if (network === undefined)
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${text}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`,
    );
  if (network.bits < 16 || network.bits > 28) throw new AwsError(code, `The CIDR '${text}' is invalid.`);
  return network;
}

function overlapsWith(cidr: string, network: Network): boolean {
  const other = networkOf(cidr);
  return other !== undefined && overlaps(other, network);
}

function vpcTold({ store }: Ground, place: Place, vpc: VpcRecord): Vpc {
  return {
    VpcId: vpc.id,
    OwnerId: place.account,
    CidrBlock: vpc.cidr,
    CidrBlockAssociationSet: [
      {
        AssociationId: vpc.id.replace("vpc-", "vpc-cidr-assoc-"),
        CidrBlock: vpc.cidr,
        CidrBlockState: { State: "associated" },
      },
    ],
    DhcpOptionsId: vpc.id.replace("vpc-", "dopt-"),
    InstanceTenancy: vpc.tenancy,
    IsDefault: vpc.isDefault,
    State: "available",
    Tags: tagList(store.tags.get(place, vpc.id) ?? []),
  };
}

function subnetTold(ground: Ground, place: Place, subnet: SubnetRecord): Subnet {
  const size = networkOf(subnet.cidr)?.size ?? 0;
  return {
    SubnetId: subnet.id,
    VpcId: subnet.vpcId,
    OwnerId: place.account,
    SubnetArn: `arn:${partitionOf(place.region)}:ec2:${place.region}:${place.account}:subnet/${subnet.id}`,
    CidrBlock: subnet.cidr,
    AvailabilityZone: subnet.zone,
    AvailabilityZoneId: zoneIdOf(place.region, subnet.zone),
    AvailableIpAddressCount: size - 5 - inhabitants(ground, place, subnet).length,
    DefaultForAz: subnet.isDefault,
    MapPublicIpOnLaunch: subnet.isDefault,
    AssignIpv6AddressOnCreation: false,
    Ipv6CidrBlockAssociationSet: [],
    PrivateDnsNameOptionsOnLaunch: {
      HostnameType: "ip-name",
      EnableResourceNameDnsARecord: false,
      EnableResourceNameDnsAAAARecord: false,
    },
    Ipv6Native: false,
    State: "available",
    Tags: tagList(ground.store.tags.get(place, subnet.id) ?? []),
  };
}
