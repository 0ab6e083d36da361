import { isIPv4, isIPv6 } from "node:net";
import type { Operations, TargetDescription, TargetHealthDescription } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import type { TargetGroupRecord, TargetRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { targetKey } from "./store.ts";
import { groupAttribute } from "./target-group-attributes.ts";
import { targetHealth } from "./target-health.ts";
import { groupUsers } from "./usage.ts";

type Names = "RegisterTargets" | "DeregisterTargets" | "DescribeTargetHealth";

/** Registers and deregisters targets, and tells how they are. */
export function targetOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store, world, quotas } = ground;
  return {
    async RegisterTargets(input, context) {
      const group = store.group(context, input.TargetGroupArn);
      const now = world.clock.now();
      const added = input.Targets.map((target) => checkedTarget(ground, context, group, target));
      const present = new Map(store.targetsOf(group.arn).map((one) => [targetKey(group.arn, one.id, one.port), one]));
      for (const { id, port, zone } of added) {
        const key = targetKey(group.arn, id, port);
        const before = present.get(key);
        // Registering what is registered changes nothing; one that drains comes back.
        if (before !== undefined && before.drainedAt === undefined) continue;
        present.set(key, {
          group: group.arn,
          id,
          ...(port !== undefined && { port }),
          ...(zone !== undefined && { zone }),
          registeredAt: now,
        });
      }
      const alive = [...present].filter(([, { drainedAt }]) => drainedAt === undefined || drainedAt > now);
      const single = group.settings.TargetType === "lambda" || group.settings.TargetType === "alb";
      if (single && alive.length > 1) {
        throw new AwsError(
          "TooManyTargets",
          `The maximum number of targets for target group '${group.arn}' has been reached`,
        );
      }
      quotas.hold(
        "targets-per-target-group",
        alive.length,
        "TooManyTargets",
        `The maximum number of targets for target group '${group.arn}' has been reached`,
      );
      await store.commit((commit) => {
        for (const [key] of present) if (!alive.some(([kept]) => kept === key)) commit.delete(store.targets, key);
        for (const [key, target] of alive) commit.put(store.targets, key, target);
      });
      return {};
    },

    async DeregisterTargets(input, context) {
      const group = store.group(context, input.TargetGroupArn);
      const now = world.clock.now();
      const inUse = groupUsers(store, context).has(group.arn);
      const delay = Number(groupAttribute(group, "deregistration_delay.timeout_seconds") || "0") * 1000;
      const leaving = input.Targets.flatMap(({ Id, Port }) => {
        const found = store
          .targetsOf(group.arn)
          .filter(({ id, port }) => id === Id && (port === undefined || port === (Port ?? group.settings.Port)));
        // Without a port it means the target wherever it is registered.
        return found.length > 0 || Port !== undefined
          ? found
          : store.targetsOf(group.arn).filter(({ id }) => id === Id);
      }).filter(({ drainedAt }) => drainedAt === undefined);
      await store.commit((commit) => {
        for (const target of leaving) {
          const key = targetKey(group.arn, target.id, target.port);
          if (inUse && delay > 0)
            commit.put(store.targets, key, { ...target, drainedAt: now + delay * world.pace.durations });
          else commit.delete(store.targets, key);
        }
      });
      return {};
    },

    DescribeTargetHealth(input, context) {
      const group = store.group(context, input.TargetGroupArn);
      const inUse = groupUsers(store, context).has(group.arn);
      const now = world.clock.now();
      const present = store.targetsOf(group.arn).filter(({ drainedAt }) => drainedAt === undefined || drainedAt > now);
      const told = (target: TargetRecord, registered: boolean): TargetHealthDescription =>
        describe(group, target, registered ? targetHealth(ground, group, target, inUse) : NOT_REGISTERED);
      if (input.Targets === undefined || input.Targets.length === 0) {
        return { TargetHealthDescriptions: present.map((target) => told(target, true)) };
      }
      return {
        TargetHealthDescriptions: input.Targets.map(({ Id: id, Port }) => {
          const port = Port ?? group.settings.Port;
          const found = present.find((one) => one.id === id && (one.port === undefined || one.port === port));
          const stranger = { group: group.arn, id, registeredAt: now, ...(port !== undefined && { port }) };
          return told(found ?? stranger, found !== undefined);
        }),
      };
    },
  };
}

const NOT_REGISTERED = {
  State: "unused",
  Reason: "Target.NotRegistered",
  Description: "Target is not registered to the target group",
};

function describe(
  { settings }: TargetGroupRecord,
  { id, port, zone }: TargetRecord,
  health: TargetHealthDescription["TargetHealth"],
): TargetHealthDescription {
  const checked = settings.HealthCheckPort === "traffic-port" ? port : settings.HealthCheckPort;
  return {
    Target: {
      Id: id,
      ...(port !== undefined && { Port: port }),
      ...(zone !== undefined && { AvailabilityZone: zone }),
    },
    ...(checked !== undefined && { HealthCheckPort: String(checked) }),
    TargetHealth: health,
  };
}

function checkedTarget(
  { store }: Ground,
  context: CallContext,
  { settings }: TargetGroupRecord,
  { Id: id, Port, AvailabilityZone: zone }: TargetDescription,
): Pick<TargetRecord, "id" | "port" | "zone"> {
  const port = Port ?? settings.Port;
  if (Port !== undefined && (!Number.isInteger(Port) || Port < 1 || Port > 65_535))
    throw invalid(`Port '${Port}' must be from 1 to 65535`);
  const at = { id, ...(port !== undefined && { port }), ...(zone !== undefined && { zone }) };
  switch (settings.TargetType) {
    case "instance":
      if (!/^i-[0-9a-z]{1,32}$/.test(id))
        throw new AwsError("InvalidTarget", `The following targets are not valid instances: '${id}'`);
      return at;
    case "ip": {
      const fits = settings.IpAddressType === "ipv6" ? isIPv6(id) : isIPv4(id);
      if (!fits)
        throw invalid(
          `The IP address '${id}' is not a valid ${settings.IpAddressType === "ipv6" ? "IPv6" : "IPv4"} address`,
        );
      return at;
    }
    case "lambda":
      if (!/^arn:[a-z-]+:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_:-]{1,140}$/.test(id)) {
        throw new AwsError("InvalidTarget", `'${id}' is not a valid Lambda function ARN`);
      }
      return { id };
    default: {
      const balancer = store.loadBalancersIn(context).find(({ arn, type }) => arn === id && type === "application");
      if (balancer === undefined)
        throw new AwsError("InvalidTarget", `The application load balancer '${id}' does not exist`);
      if (!store.listenersOf(balancer.arn).some((listener) => listener.port === port)) {
        throw new AwsError("InvalidTarget", `The application load balancer '${id}' has no listener on port ${port}`);
      }
      return at;
    }
  }
}
