import type { TargetHealth } from "@gatewright/aws-wire/types/elbv2";
import type { AwsWorld } from "../world.ts";
import type { Ground, SeenHealth, TargetHealthSource } from "./ground.ts";
import type { TargetGroupRecord, TargetRecord } from "./records.ts";

const INITIAL: SeenHealth = {
  state: "initial",
  reason: "Elb.InitialHealthChecking",
  description: "Initial health checks in progress",
};

/** How a registered target is, in the words of the service. */
export function targetHealth(
  ground: Ground,
  group: TargetGroupRecord,
  target: TargetRecord,
  inUse: boolean,
): TargetHealth {
  if (target.drainedAt !== undefined) {
    return {
      State: "draining",
      Reason: "Target.DeregistrationInProgress",
      Description: "Target deregistration is in progress",
    };
  }
  if (!inUse) {
    return {
      State: "unused",
      Reason: "Target.NotInUse",
      Description: "Target group is not configured to receive traffic from the load balancer",
    };
  }
  if (group.settings.HealthCheckEnabled === false) {
    return {
      State: "unavailable",
      Reason: "Target.HealthCheckDisabled",
      Description: "Health checks are not enabled for this target",
    };
  }
  const { state, reason, description } = ground.health.healthOf(group, target) ?? INITIAL;
  return {
    State: state,
    ...(reason !== undefined && { Reason: reason }),
    ...(description !== undefined && { Description: description }),
  };
}

/** Where nobody checks: targets are healthy once their first checks would have passed. */
export function assumedHealth({ clock, pace }: AwsWorld): TargetHealthSource {
  return {
    healthOf({ settings }, { registeredAt }) {
      const wait = (settings.HealthCheckIntervalSeconds ?? 30) * 1000 * pace.durations;
      return clock.now() < registeredAt + wait ? INITIAL : { state: "healthy" };
    },
  };
}
