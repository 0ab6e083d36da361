import { groupsIn } from "../elbv2/actions.ts";
import type { ElbStore } from "../elbv2/store.ts";
import type { ToCheck } from "./health-checks.ts";

/** The targets that some load balancer could forward to: those that are checked. */
export function* targetsInUse(store: ElbStore): Generator<ToCheck> {
  const groups = new Set(store.rules.list().flatMap(([, { actions }]) => groupsIn(actions)));
  for (const arn of groups) {
    const group = store.groups.get(arn);
    if (group === undefined || group.settings.HealthCheckEnabled === false) continue;
    for (const target of store.targetsOf(arn)) if (target.drainedAt === undefined) yield { group, target };
  }
}
