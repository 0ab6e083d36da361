import type { VpcSecurityGroupMembership } from "@gatewright/aws-wire/types/rds";
import type { Ground } from "./ground.ts";
import type { Place } from "./rds-store.ts";
import { invalidValue } from "./refusals.ts";

/** The security groups of an instance in a VPC: those that are asked for, or the VPC's own. */
export function securityGroupsOf(
  { networks }: Ground,
  { account, region }: Place,
  ids: readonly string[] | undefined,
  vpcId: string,
): readonly VpcSecurityGroupMembership[] {
  const usual = networks?.defaultSecurityGroup(account, region, vpcId) ?? "sg-default";
  const chosen = ids === undefined || ids.length === 0 ? [usual] : ids;
  for (const id of chosen) {
    const group = networks?.securityGroup(account, region, id);
    if (!/^sg-[0-9a-z]+$/.test(id) || (networks !== undefined && group?.vpcId !== vpcId)) {
      throw invalidValue(`Invalid security group , groupId= ${id}, groupName=.`);
    }
  }
  return [...new Set(chosen)].map((id) => ({ VpcSecurityGroupId: id, Status: "active" }));
}
