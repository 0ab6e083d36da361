import { fixedId } from "./ids.ts";
import type { Place } from "./ec2-store.ts";
import type { GroupRecord, SubnetRecord, VpcRecord } from "./records.ts";
import { openToAll, ownMembers } from "./rules.ts";
import { zonesOf } from "./regions.ts";

/** What an account finds in a region that it was never in: a VPC with a subnet in each zone, and a group. Ids depend on the place alone. */
export interface Founding {
  readonly vpc: VpcRecord;
  readonly subnets: readonly SubnetRecord[];
  readonly group: GroupRecord;
}

export function foundingOf({ account, region }: Place): Founding {
  const name = `${account} ${region}`;
  const vpcId = fixedId("vpc", `default vpc ${name}`);
  return {
    vpc: { id: vpcId, cidr: "172.31.0.0/16", isDefault: true, tenancy: "default" },
    subnets: zonesOf(region).map(({ name: zone }, i) => ({
      id: fixedId("subnet", `default subnet ${name} ${zone}`),
      vpcId,
      zone,
      cidr: `172.31.${i * 16}.0/20`,
      isDefault: true,
    })),
    group: defaultGroup(fixedId("security-group", `default group ${name}`), vpcId, account, (kind) =>
      fixedId("security-group-rule", `default ${kind} ${name}`),
    ),
  };
}

/** The group that every VPC has: its members reach each other, and everything outside. */
export function defaultGroup(
  id: string,
  vpcId: string,
  account: string,
  ruleId: (kind: "ingress" | "egress") => string,
): GroupRecord {
  return {
    id,
    name: "default",
    description: "default VPC security group",
    vpcId,
    rules: [ownMembers(ruleId("ingress"), id, account), openToAll(ruleId("egress"))],
  };
}
