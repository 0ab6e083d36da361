import type { SubnetMapping } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Place } from "./arn.ts";
import type { SubnetFacts } from "./ground.ts";
import type { SubnetRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

interface Asked {
  readonly Subnets?: readonly string[] | undefined;
  readonly SubnetMappings?: readonly SubnetMapping[] | undefined;
}

/** The VPC of subnets that nobody knows. */
const SOME_VPC = "vpc-00000000000000000";

/**
 * The subnets of a load balancer and their VPC. Subnets that nobody knows are taken as they come, each in the next zone of the
 * region, so that no VPC has to be made first.
 */
export function chosenSubnets(
  asked: Asked,
  type: "application" | "network",
  place: Place,
  subnetOf: (place: Place, id: string) => SubnetFacts | undefined,
): { readonly subnets: readonly SubnetRecord[]; readonly vpcId: string } {
  if (asked.Subnets !== undefined && asked.SubnetMappings !== undefined) {
    throw invalid("You can specify either subnets or subnet mappings, not both");
  }
  const mappings: readonly SubnetMapping[] =
    asked.SubnetMappings ?? (asked.Subnets ?? []).map((SubnetId) => ({ SubnetId }));
  if (mappings.length === 0) throw invalid("You must specify either subnets or subnet mappings");
  if (type === "application" && mappings.length < 2) {
    throw invalid("At least two subnets in two different Availability Zones must be specified");
  }
  const zones = new Set<string>();
  const vpcs = new Set<string>();
  const subnets = mappings.map(({ SubnetId: id = "", AllocationId, PrivateIPv4Address }, index) => {
    if (!/^subnet-[0-9a-z-]{1,64}$/.test(id)) {
      throw new AwsError("SubnetNotFound", `The subnet ID '${id}' does not exist`);
    }
    const facts = subnetOf(place, id);
    const zone = facts?.zone ?? `${place.region}${String.fromCodePoint(97 + (index % 26))}`;
    if (zones.has(zone)) {
      throw new AwsError(
        "InvalidConfigurationRequest",
        "A load balancer cannot be attached to multiple subnets in the same Availability Zone",
      );
    }
    zones.add(zone);
    vpcs.add(facts?.vpcId ?? SOME_VPC);
    return {
      id,
      zone,
      ...(AllocationId !== undefined && { allocationId: AllocationId }),
      ...(PrivateIPv4Address !== undefined && { privateAddress: PrivateIPv4Address }),
    };
  });
  if (vpcs.size > 1) throw new AwsError("InvalidSubnet", "All subnets must belong to the same VPC");
  return { subnets, vpcId: [...vpcs][0] ?? SOME_VPC };
}
