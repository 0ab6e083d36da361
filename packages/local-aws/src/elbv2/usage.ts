import { AwsError } from "../aws-error.ts";
import { groupsIn } from "./actions.ts";
import { scopeOf } from "./arn.ts";
import type { Place } from "./arn.ts";
import type { Ground } from "./ground.ts";
import type { LoadBalancerRecord } from "./records.ts";
import type { ElbStore } from "./store.ts";

/** Which load balancers forward to which target groups. */
export function groupUsers(store: ElbStore, place: Place): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const [, rule] of store.rules.list(`${scopeOf(place)}listener-rule/`)) {
    const loadBalancer = store.listeners.get(rule.listener)?.loadBalancer;
    if (loadBalancer === undefined) continue;
    for (const group of groupsIn(rule.actions)) {
      const set = users.get(group) ?? new Set();
      users.set(group, set.add(loadBalancer));
    }
  }
  return users;
}

/** Refuses actions that would give a load balancer too many groups or targets, or a group a second load balancer. */
export function holdGroupLimits(
  ground: Ground,
  place: Place,
  loadBalancer: LoadBalancerRecord,
  added: readonly string[],
): void {
  const users = groupUsers(ground.store, place);
  for (const group of added) {
    const others = [...(users.get(group) ?? [])].filter((arn) => arn !== loadBalancer.arn);
    if (others.length > 0) {
      throw new AwsError(
        "TargetGroupAssociationLimit",
        `The following target groups cannot be associated with more than one load balancer: ${group}`,
      );
    }
  }
  if (loadBalancer.type !== "application") return;
  const used = new Set(added);
  for (const [group, by] of users) if (by.has(loadBalancer.arn)) used.add(group);
  ground.quotas.hold(
    "target-groups-per-application-load-balancer",
    used.size,
    "TooManyUniqueTargetGroupsPerLoadBalancer",
    `You have reached the maximum number of unique target groups that you can associate with a load balancer of type application: [${ground.quotas.of("target-groups-per-application-load-balancer")}]`,
  );
  const targets = [...used].reduce((sum, group) => sum + ground.store.targetsOf(group).length, 0);
  ground.quotas.hold(
    "targets-per-application-load-balancer",
    targets,
    "TooManyTargets",
    `The maximum number of targets for load balancer '${loadBalancer.arn}' has been reached`,
  );
}
