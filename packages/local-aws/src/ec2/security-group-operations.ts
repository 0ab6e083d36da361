import type { IpPermission, Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { CallContext, Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { FilterTable } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { checkId, newId, notFound } from "./ids.ts";
import { stateAt } from "./instance-life.ts";
import { vpcFor } from "./network-operations.ts";
import { page } from "./page.ts";
import type { GroupRecord, RuleRecord } from "./records.ts";
import { openToAll, permissionsOf, ruleKey, rulesOf, ruleTold } from "./rules.ts";
import { specifiedTags, tagList } from "./tags.ts";

const MOST_RULES = 60;

const FILTERS: FilterTable<GroupRecord> = new Map<string, (record: GroupRecord) => readonly string[]>([
  ["group-id", ({ id }) => [id]],
  ["group-name", ({ name }) => [name]],
  ["description", ({ description }) => [description]],
  ["vpc-id", ({ vpcId }) => [vpcId]],
  [
    "ip-permission.cidr",
    ({ rules }) => rules.flatMap(({ egress, peer }) => (!egress && peer.kind === "ipv4" ? [peer.value] : [])),
  ],
  [
    "ip-permission.group-id",
    ({ rules }) => rules.flatMap(({ egress, peer }) => (!egress && peer.kind === "group" ? [peer.value] : [])),
  ],
  [
    "ip-permission.from-port",
    ({ rules }) => rules.flatMap(({ egress, from }) => (egress || from === undefined ? [] : [String(from)])),
  ],
  [
    "ip-permission.to-port",
    ({ rules }) => rules.flatMap(({ egress, to }) => (egress || to === undefined ? [] : [String(to)])),
  ],
  ["ip-permission.protocol", ({ rules }) => rules.flatMap(({ egress, protocol }) => (egress ? [] : [protocol]))],
]);

/** What requests for rules say. */
interface RuleRequest {
  readonly GroupId?: string | undefined;
  readonly GroupName?: string | undefined;
  readonly IpPermissions?: readonly IpPermission[] | undefined;
  readonly IpProtocol?: string | undefined;
  readonly FromPort?: number | undefined;
  readonly ToPort?: number | undefined;
  readonly CidrIp?: string | undefined;
  readonly SecurityGroupRuleIds?: readonly string[] | undefined;
}

/** Security groups and their rules. */
export function securityGroupOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateSecurityGroup(input, context) {
      const vpc =
        input.VpcId === undefined
          ? store.vpcs.list(context).find(({ isDefault }) => isDefault)
          : vpcFor(ground, context, input.VpcId);
      if (vpc === undefined) throw new AwsError("VPCIdNotSpecified", "No default VPC for this user");
      checkNames(input.GroupName, input.Description);
      if (store.groups.list(context).some(({ name, vpcId }) => vpcId === vpc.id && name === input.GroupName)) {
        throw new AwsError(
          "InvalidGroup.Duplicate",
          `The security group '${input.GroupName}' already exists for VPC '${vpc.id}'`,
        );
      }
      const tags = specifiedTags(input.TagSpecifications, ["security-group"]).get("security-group") ?? [];
      const group: GroupRecord = {
        id: newId(world.random, "security-group"),
        name: input.GroupName,
        description: input.Description,
        vpcId: vpc.id,
        rules: [openToAll(newId(world.random, "security-group-rule"))],
      };
      await store.commit((commit) => {
        store.groups.put(commit, context, group.id, group);
        store.tags.put(commit, context, group.id, tags);
      });
      return {
        GroupId: group.id,
        ...(tags.length > 0 && { Tags: tagList(tags) }),
        SecurityGroupArn: groupArn(context, group),
      };
    },

    DescribeSecurityGroups(input, context) {
      const names = input.GroupNames ?? [];
      const all = store.groups.list(context);
      const missing = names.filter((name) => !all.some((group) => group.name === name));
      if (missing[0] !== undefined) {
        throw new AwsError("InvalidGroup.NotFound", `The security group '${missing[0]}' does not exist in default VPC`);
      }
      const named = chosen("security-group", all, ({ id }) => id, input.GroupIds).filter(
        ({ name }) => names.length === 0 || names.includes(name),
      );
      const tagsOf = ({ id }: GroupRecord) => store.tags.get(context, id) ?? [];
      const { items, next } = page(filtered(named, input.Filters, FILTERS, tagsOf), ({ id }) => id, input);
      return {
        SecurityGroups: items.map((group) => ({
          GroupId: group.id,
          GroupName: group.name,
          Description: group.description,
          VpcId: group.vpcId,
          OwnerId: context.account,
          SecurityGroupArn: groupArn(context, group),
          IpPermissions: permissionsOf(group.rules.filter(({ egress }) => !egress)),
          IpPermissionsEgress: permissionsOf(group.rules.filter(({ egress }) => egress)),
          Tags: tagList(tagsOf(group)),
        })),
        ...next,
      };
    },

    async DeleteSecurityGroup(input, context) {
      const group = groupFor(ground, input, context);
      if (group.name === "default") {
        throw new AwsError(
          "CannotDelete",
          `the specified group: "${group.id}" name: "default" cannot be deleted by a user`,
        );
      }
      const now = world.clock.now();
      const used = store.instances
        .list(context)
        .some(({ groups, life }) => groups.includes(group.id) && !["terminated", "gone"].includes(stateAt(life, now)));
      const named = store.groups
        .list(context)
        .some((other) => other.id !== group.id && other.rules.some(({ peer }) => peer.value === group.id));
      if (used || named) throw new AwsError("DependencyViolation", `resource ${group.id} has a dependent object`);
      await store.commit((commit) => {
        store.groups.delete(commit, context, group.id);
        store.tags.delete(commit, context, group.id);
      });
      return { Return: true, GroupId: group.id };
    },

    AuthorizeSecurityGroupIngress: (input, context) => authorize(ground, input, context, false),
    AuthorizeSecurityGroupEgress: (input, context) => authorize(ground, input, context, true),
    RevokeSecurityGroupIngress: (input, context) => revoke(ground, input, context, false),
    RevokeSecurityGroupEgress: (input, context) => revoke(ground, input, context, true),
  };
}

async function authorize(ground: Ground, input: RuleRequest, context: CallContext, egress: boolean) {
  const { store } = ground;
  const group = groupFor(ground, input, context);
  const added = wantedRules(ground, input, context, egress);
  for (const { peer } of added) {
    if (
      peer.kind === "group" &&
      peer.account === context.account &&
      store.groups.get(context, peer.value) === undefined
    ) {
      throw notFound("security-group", [peer.value]);
    }
  }
  const known = new Set(group.rules.map(ruleKey));
  for (const rule of added) {
    if (known.has(ruleKey(rule))) {
      throw new AwsError(
        "InvalidPermission.Duplicate",
        `the specified rule "peer: ${rule.peer.value}, ${rule.protocol === "-1" ? "ALL" : `${rule.protocol.toUpperCase()}, from port: ${rule.from}, to port: ${rule.to}`}, ALLOW" already exists`,
      );
    }
    known.add(ruleKey(rule));
  }
  const rules = [...group.rules, ...added];
  if (rules.filter((rule) => rule.egress === egress).length > MOST_RULES) {
    throw new AwsError(
      "RulesPerSecurityGroupLimitExceeded",
      "The maximum number of rules per security group has been reached.",
    );
  }
  await store.commit((commit) => store.groups.put(commit, context, group.id, { ...group, rules }));
  return { Return: true, SecurityGroupRules: added.map((rule) => ruleTold(rule, group, context.account)) };
}

async function revoke(ground: Ground, input: RuleRequest, context: CallContext, egress: boolean) {
  const { store } = ground;
  const group = groupFor(ground, input, context);
  const ids = input.SecurityGroupRuleIds ?? [];
  for (const id of ids) {
    checkId("security-group-rule", id);
    if (!group.rules.some((rule) => rule.id === id && rule.egress === egress))
      throw notFound("security-group-rule", [id]);
  }
  const keys = new Set((ids.length > 0 ? [] : wantedRules(ground, input, context, egress)).map(ruleKey));
  const gone = group.rules.filter((rule) => ids.includes(rule.id) || keys.has(ruleKey(rule)));
  if (gone.length < keys.size) {
    throw new AwsError("InvalidPermission.NotFound", "The specified rule does not exist in this security group.");
  }
  const rules = group.rules.filter((rule) => !gone.includes(rule));
  await store.commit((commit) => store.groups.put(commit, context, group.id, { ...group, rules }));
  return { Return: true };
}

/** The rules of a request: permissions, or the one that older requests tell in members of their own. */
function wantedRules(
  { store, world }: Ground,
  input: RuleRequest,
  { account, region }: CallContext,
  egress: boolean,
): readonly RuleRecord[] {
  const permissions =
    input.IpPermissions ??
    (input.CidrIp === undefined
      ? []
      : [
          {
            IpProtocol: input.IpProtocol,
            FromPort: input.FromPort,
            ToPort: input.ToPort,
            IpRanges: [{ CidrIp: input.CidrIp }],
          },
        ]);
  if (permissions.length === 0)
    throw new AwsError("MissingParameter", "Either 'ipPermissions' or 'securityGroupRuleIds' should be provided.");
  return rulesOf(permissions, egress, {
    account,
    newId: () => newId(world.random, "security-group-rule"),
    groupNamed: (name) => {
      const found = store.groups.list({ account, region }).find((group) => group.name === name);
      if (found === undefined) throw notFound("security-group", [name]);
      return found.id;
    },
  });
}

function groupFor({ store }: Ground, { GroupId: id, GroupName: name }: RuleRequest, place: Place): GroupRecord {
  if (id !== undefined) checkId("security-group", id);
  const group =
    id === undefined ? store.groups.list(place).find((one) => one.name === name) : store.groups.get(place, id);
  if (group === undefined) {
    if (id === undefined && name === undefined)
      throw new AwsError("MissingParameter", "The request must contain the parameter groupName or groupId");
    throw notFound("security-group", [id ?? name ?? ""]);
  }
  return group;
}

function groupArn({ account, region }: Place, { id }: GroupRecord): string {
  return `arn:${partitionOf(region)}:ec2:${region}:${account}:security-group/${id}`;
}

function checkNames(name: string, description: string): void {
  const allowed = /^[a-zA-Z0-9 ._\-:/()#,@[\]+=&;{}!$*]{1,255}$/;
  if (!allowed.test(name) || name.startsWith("sg-")) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${name}) for parameter GroupName is invalid. Character sets beyond ASCII are not supported.`,
    );
  }
  if (name === "default") {
    throw new AwsError("InvalidParameterValue", "Cannot use reserved security group name: default");
  }
  if (!allowed.test(description)) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${description}) for parameter GroupDescription is invalid. Character sets beyond ASCII are not supported.`,
    );
  }
}
