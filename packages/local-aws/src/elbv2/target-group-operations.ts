import type { CreateTargetGroupInput, Operations, TargetGroup } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { targetGroupArn } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { healthCheckSettings } from "./health-check-settings.ts";
import { newId } from "./id.ts";
import { page } from "./page.ts";
import type { TargetGroupRecord, TargetGroupSettings } from "./records.ts";
import { invalid } from "./refusals.ts";
import { targetKey } from "./store.ts";
import { withTags } from "./tag-rules.ts";
import { groupUsers } from "./usage.ts";

type Names = "CreateTargetGroup" | "DescribeTargetGroups" | "ModifyTargetGroup" | "DeleteTargetGroup";

const PROTOCOLS = ["HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP"];
const VERSIONS = ["HTTP1", "HTTP2", "GRPC"];
const TYPES = ["instance", "ip", "lambda", "alb"];

/** Makes, tells, changes and removes target groups. */
export function targetGroupOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store, world, quotas } = ground;
  return {
    async CreateTargetGroup(input, context) {
      checkName(input.Name);
      const settings = newSettings(input);
      const existing = store.groupsIn(context);
      const twin = existing.find(({ name }) => name === input.Name);
      if (twin !== undefined) {
        if (fingerprint(twin.settings) !== fingerprint(settings)) {
          throw new AwsError(
            "DuplicateTargetGroupName",
            `A target group with the same name '${input.Name}' exists, but with different settings`,
          );
        }
        return { TargetGroups: [groupShape(twin, groupUsers(store, context).get(twin.arn))] };
      }
      quotas.hold(
        "target-groups",
        existing.length + 1,
        "TooManyTargetGroups",
        "The maximum number of target groups has been reached",
      );
      const tags = withTags([], input.Tags ?? []);
      const arn = targetGroupArn(context, input.Name, newId(world.random));
      const record: TargetGroupRecord = { arn, name: input.Name, settings, attributes: [] };
      await store.commit((commit) => {
        commit.put(store.groups, arn, record);
        if (tags.length > 0) commit.put(store.tags, arn, tags);
      });
      return { TargetGroups: [groupShape(record, undefined)] };
    },

    DescribeTargetGroups(input, context) {
      const { LoadBalancerArn: loadBalancer, TargetGroupArns: arns, Names: names } = input;
      if ([loadBalancer, arns, names].filter((one) => one !== undefined).length > 1) {
        throw invalid("Target groups can be asked for by load balancer, by ARNs or by names, one of them");
      }
      const users = groupUsers(store, context);
      let found = store.groupsIn(context);
      if (arns !== undefined) found = [...new Set(arns)].map((arn) => store.group(context, arn));
      if (names !== undefined) {
        found = found.filter(({ name }) => names.includes(name));
        if (names.some((name) => !found.some((record) => record.name === name))) {
          throw new AwsError("TargetGroupNotFound", "One or more target groups not found");
        }
      }
      if (loadBalancer !== undefined) {
        const { arn } = store.loadBalancer(context, loadBalancer);
        found = found.filter((record) => users.get(record.arn)?.has(arn) === true);
      }
      const { items, nextMarker } = page(found, ({ arn }) => arn, input);
      return {
        TargetGroups: items.map((record) => groupShape(record, users.get(record.arn))),
        ...(nextMarker !== undefined && { NextMarker: nextMarker }),
      };
    },

    async ModifyTargetGroup(input, context) {
      const before = store.group(context, input.TargetGroupArn);
      const { Matcher: _matcher, HealthCheckPath: _path, ...rest } = before.settings;
      const settings = { ...rest, ...healthCheckSettings(before.settings, before.settings, input) };
      const record = { ...before, settings };
      await store.commit((commit) => commit.put(store.groups, record.arn, record));
      return { TargetGroups: [groupShape(record, groupUsers(store, context).get(record.arn))] };
    },

    async DeleteTargetGroup(input, context) {
      const record = store.groupsIn(context).find(({ arn }) => arn === input.TargetGroupArn);
      // One that is not there is as good as deleted, as on AWS.
      if (record === undefined) return {};
      if (groupUsers(store, context).has(record.arn)) {
        throw new AwsError("ResourceInUse", `Target group '${record.arn}' is currently in use by a listener or a rule`);
      }
      await store.commit((commit) => {
        for (const { id, port } of store.targetsOf(record.arn))
          commit.delete(store.targets, targetKey(record.arn, id, port));
        commit.delete(store.groups, record.arn);
        commit.delete(store.tags, record.arn);
      });
      return {};
    },
  };
}

function checkName(name: string): void {
  if (name === "" || name.length > 32)
    throw invalid(`Target group name '${name}' cannot be longer than '32' characters`);
  if (!/^[A-Za-z0-9-]+$/.test(name)) {
    throw invalid(
      `Target group name '${name}' can only contain characters that are alphanumeric characters and hyphens(-)`,
    );
  }
  if (name.startsWith("-") || name.endsWith("-")) {
    throw invalid(`Target group name '${name}' cannot begin or end with a hyphen(-)`);
  }
}

function newSettings(input: CreateTargetGroupInput): TargetGroupSettings {
  const { TargetType = "instance", Protocol, Port, VpcId, ProtocolVersion, IpAddressType = "ipv4" } = input;
  if (!TYPES.includes(TargetType)) throw invalid(`Target type '${TargetType}' must be one of '${TYPES.join(", ")}'`);
  if (TargetType === "lambda") {
    if (Protocol !== undefined || Port !== undefined || VpcId !== undefined) {
      throw invalid("Protocol, port and VPC ID cannot be specified for target groups with target type 'lambda'");
    }
    return { TargetType, ...healthCheckSettings({ TargetType }, undefined, input) };
  }
  if (Protocol === undefined) throw invalid("A protocol must be specified");
  if (!PROTOCOLS.includes(Protocol)) throw invalid(`Protocol '${Protocol}' must be one of '${PROTOCOLS.join(", ")}'`);
  if (TargetType === "alb" && Protocol !== "TCP")
    throw invalid("Target groups with target type 'alb' must have protocol 'TCP'");
  if (Port === undefined || !Number.isInteger(Port) || Port < 1 || Port > 65_535)
    throw invalid("A port from 1 to 65535 must be specified");
  if (VpcId === undefined) throw invalid("A VPC ID must be specified");
  const web = Protocol === "HTTP" || Protocol === "HTTPS";
  if (ProtocolVersion !== undefined && (!web || !VERSIONS.includes(ProtocolVersion))) {
    throw invalid(
      `Protocol version '${ProtocolVersion}' is not supported for target groups with protocol '${Protocol}'`,
    );
  }
  const kind = { TargetType, Protocol, ...(web && { ProtocolVersion: ProtocolVersion ?? "HTTP1" }) };
  return { ...kind, Port, VpcId, IpAddressType, ...healthCheckSettings(kind, undefined, input) };
}

function fingerprint(settings: TargetGroupSettings): string {
  return JSON.stringify(Object.entries(settings).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function groupShape(record: TargetGroupRecord, users: ReadonlySet<string> | undefined): TargetGroup {
  return {
    TargetGroupArn: record.arn,
    TargetGroupName: record.name,
    ...record.settings,
    LoadBalancerArns: [...(users ?? [])],
  };
}
