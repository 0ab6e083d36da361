import type { Networks, SubnetFacts } from "../neighbours.ts";
import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import type { GroupRecord, SubnetRecord } from "./records.ts";

/** Networks as other services see them. A place where EC2 was never called has what it begins with. */
export function networksOf({ store }: Ground): Networks {
  const subnets = (place: Place): readonly SubnetRecord[] =>
    store.unfounded(place)?.subnets ?? store.subnets.list(place);
  const groups = (place: Place): readonly GroupRecord[] => {
    const founding = store.unfounded(place);
    return founding === undefined ? store.groups.list(place) : [founding.group];
  };
  const told = ({ id, zone, vpcId }: SubnetRecord): SubnetFacts => ({ id, zone, vpcId });
  return {
    subnet(account, region, id) {
      const subnet = subnets({ account, region }).find((one) => one.id === id);
      return subnet && told(subnet);
    },
    defaultSubnets: (account, region) =>
      subnets({ account, region })
        .filter(({ isDefault }) => isDefault)
        .map(told)
        .toSorted((one, other) => (one.zone < other.zone ? -1 : 1)),
    securityGroup(account, region, id) {
      const group = groups({ account, region }).find((one) => one.id === id);
      return group && { vpcId: group.vpcId };
    },
    defaultSecurityGroup: (account, region, vpcId) =>
      groups({ account, region }).find((one) => one.vpcId === vpcId && one.name === "default")?.id,
  };
}
