import type { Aws } from "@gatewright/aws";
import { ModelError } from "../model/model.ts";
import type { LoadBalancerModel } from "../model/model.ts";
import type { Network } from "./plan.ts";

interface Subnet {
  readonly id: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly isDefault: boolean;
  readonly roles: ReadonlySet<string>;
}

const ROLES = { internal: "kubernetes.io/role/internal-elb", "internet-facing": "kubernetes.io/role/elb" } as const;

/**
 * Where a load balancer is put: in the subnets that are named, else in those that are tagged for its scheme, else in the default ones
 * of the region; one a zone.
 */
export async function findNetwork(aws: Aws, model: LoadBalancerModel, signal: AbortSignal): Promise<Network> {
  const all: Subnet[] = [];
  for await (const each of aws.ec2.allSubnets({}, { signal })) {
    all.push({
      id: each.SubnetId ?? "",
      vpcId: each.VpcId ?? "",
      zone: each.AvailabilityZone ?? "",
      isDefault: each.DefaultForAz === true,
      roles: new Set((each.Tags ?? []).flatMap(({ Key }) => Key ?? [])),
    });
  }
  return chosenNetwork(all, model);
}

/** {@inheritDoc findNetwork} */
export function chosenNetwork(all: readonly Subnet[], { subnets, scheme }: LoadBalancerModel): Network {
  if (subnets !== undefined) {
    const named = subnets.map((id) => {
      const found = all.find((each) => each.id === id);
      if (found === undefined) throw new ModelError(`subnet ${id} does not exist`);
      return found;
    });
    return { vpcId: named[0]?.vpcId ?? "", subnets };
  }
  const tagged = all.filter(({ roles }) => roles.has(ROLES[scheme]));
  const usable = tagged.length > 0 ? tagged : all.filter(({ isDefault }) => isDefault);
  const vpcId = usable[0]?.vpcId;
  if (vpcId === undefined) throw new ModelError(`no subnet is tagged ${ROLES[scheme]}, and there are no default ones`);
  const zones = new Map<string, Subnet>();
  for (const each of usable.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (each.vpcId === vpcId && !zones.has(each.zone)) zones.set(each.zone, each);
  }
  return { vpcId, subnets: [...zones.values()].map(({ id }) => id).toSorted() };
}
