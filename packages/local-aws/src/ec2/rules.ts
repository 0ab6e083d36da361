import type { IpPermission, SecurityGroupRule } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import { networkOf } from "./cidr.ts";
import type { GroupRecord, RuleRecord } from "./records.ts";

const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["6", "tcp"],
  ["17", "udp"],
  ["1", "icmp"],
  ["58", "icmpv6"],
  ["all", "-1"],
]);

/** The rule by which members of a group reach each other. */
export function ownMembers(id: string, groupId: string, account: string): RuleRecord {
  return { id, egress: false, protocol: "-1", peer: { kind: "group", value: groupId, account } };
}

/** The rule by which everything may go out, which new groups have. */
export function openToAll(id: string): RuleRecord {
  return { id, egress: true, protocol: "-1", peer: { kind: "ipv4", value: "0.0.0.0/0" } };
}

/** Permissions are told in bundles; a rule has one peer. */
export function rulesOf(
  permissions: readonly IpPermission[],
  egress: boolean,
  context: { readonly account: string; readonly newId: () => string; readonly groupNamed: (name: string) => string },
): readonly RuleRecord[] {
  return permissions.flatMap((permission) => {
    const shared = { egress, ...portsOf(permission) };
    const rule = (peer: RuleRecord["peer"], description: string | undefined): RuleRecord => ({
      id: context.newId(),
      ...shared,
      peer,
      description,
    });
    const rules = [
      ...(permission.IpRanges ?? []).map(({ CidrIp, Description }) =>
        rule({ kind: "ipv4", value: ipv4Cidr(CidrIp ?? "") }, Description),
      ),
      ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6, Description }) =>
        rule({ kind: "ipv6", value: ipv6Cidr(CidrIpv6 ?? "") }, Description),
      ),
      ...(permission.PrefixListIds ?? []).map(({ PrefixListId, Description }) =>
        rule({ kind: "prefix", value: PrefixListId ?? "" }, Description),
      ),
      ...(permission.UserIdGroupPairs ?? []).map(({ GroupId, GroupName, UserId, Description }) =>
        rule(
          { kind: "group", value: GroupId ?? context.groupNamed(GroupName ?? ""), account: UserId ?? context.account },
          Description,
        ),
      ),
    ];
    if (rules.length === 0) {
      throw new AwsError("MissingParameter", "Source or destination must be specified in a permission");
    }
    return rules;
  });
}

/** What makes two rules the same: everything but id and description. */
export function ruleKey({ egress, protocol, from, to, peer }: RuleRecord): string {
  return JSON.stringify([egress, protocol, from ?? -1, to ?? -1, peer.kind, peer.value]);
}

export function permissionsOf(rules: readonly RuleRecord[]): readonly IpPermission[] {
  const bundles = new Map<string, RuleRecord[]>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.protocol, rule.from, rule.to]);
    bundles.set(key, [...(bundles.get(key) ?? []), rule]);
  }
  return [...bundles.values()].map((bundle) => {
    const described = ({ description }: RuleRecord) => (description === undefined ? {} : { Description: description });
    const of = (kind: RuleRecord["peer"]["kind"]): readonly RuleRecord[] =>
      bundle.filter(({ peer }) => peer.kind === kind);
    return {
      IpProtocol: bundle[0]?.protocol,
      FromPort: bundle[0]?.from,
      ToPort: bundle[0]?.to,
      IpRanges: of("ipv4").map((rule) => ({ CidrIp: rule.peer.value, ...described(rule) })),
      Ipv6Ranges: of("ipv6").map((rule) => ({ CidrIpv6: rule.peer.value, ...described(rule) })),
      PrefixListIds: of("prefix").map((rule) => ({ PrefixListId: rule.peer.value, ...described(rule) })),
      UserIdGroupPairs: of("group").map((rule) => ({
        GroupId: rule.peer.value,
        UserId: rule.peer.kind === "group" ? rule.peer.account : undefined,
        ...described(rule),
      })),
    };
  });
}

export function ruleTold(
  { id, egress, protocol, from, to, peer, description }: RuleRecord,
  group: GroupRecord,
  account: string,
): SecurityGroupRule {
  return {
    SecurityGroupRuleId: id,
    GroupId: group.id,
    GroupOwnerId: account,
    IsEgress: egress,
    IpProtocol: protocol,
    FromPort: from ?? -1,
    ToPort: to ?? -1,
    ...(peer.kind === "ipv4" && { CidrIpv4: peer.value }),
    ...(peer.kind === "ipv6" && { CidrIpv6: peer.value }),
    ...(peer.kind === "prefix" && { PrefixListId: peer.value }),
    ...(peer.kind === "group" && { ReferencedGroupInfo: { GroupId: peer.value, UserId: peer.account } }),
    ...(description !== undefined && { Description: description }),
  };
}

function portsOf({
  IpProtocol: told = "-1",
  FromPort: from,
  ToPort: to,
}: IpPermission): Pick<RuleRecord, "protocol" | "from" | "to"> {
  const protocol = NUMBERS.get(told.toLowerCase()) ?? told.toLowerCase();
  if (!/^(-1|tcp|udp|icmp|icmpv6|\d{1,3})$/.test(protocol)) {
    throw new AwsError("InvalidParameterValue", `Invalid value '${told}' for IP protocol. Unknown protocol.`);
  }
  if (protocol === "-1") return { protocol };
  if (protocol !== "tcp" && protocol !== "udp") return { protocol, from: from ?? -1, to: to ?? -1 };
  if (from === undefined || to === undefined || from < 0 || to > 65_535 || from > to) {
    throw new AwsError(
      "InvalidParameterValue",
      `Invalid value '${from ?? ""}-${to ?? ""}' for portRange. Must specify both from and to ports with TCP/UDP.`,
    );
  }
  return { protocol, from, to };
}

/** As EC2 keeps it: the bits behind the mask are not looked at. */
function ipv4Cidr(text: string): string {
  const network = networkOf(text);
  if (network === undefined) throw new AwsError("InvalidParameterValue", `CIDR block ${text} is malformed`);
  return network.text;
}

function ipv6Cidr(text: string): string {
  const [, bits] = /^[0-9a-f:.]{2,45}\/(\d{1,3})$/i.exec(text) ?? [];
  if (bits === undefined || Number(bits) > 128 || !text.includes(":")) {
    throw new AwsError("InvalidParameterValue", `CIDR block ${text} is malformed`);
  }
  return text.toLowerCase();
}
