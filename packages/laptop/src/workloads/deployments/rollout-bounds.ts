import type { Immutable } from "@gatewright/kube";
import type { apps, meta } from "@gatewright/kube/api";

/** How many pods a Deployment wants, and how far it may go above and below that while it rolls out. */
export interface RolloutBounds {
  readonly desired: number;
  /** 0 for Recreate. */
  readonly maxSurge: number;
  /** At most `desired`; 0 for Recreate. */
  readonly maxUnavailable: number;
}

/** Percentages are of the wanted pods: a surge is rounded up, what may be missing down; both cannot be 0, or nothing could move. */
export function rolloutBounds(spec: Immutable<apps.DeploymentSpec> | undefined): RolloutBounds {
  const desired = spec?.replicas ?? 1;
  if (spec?.strategy?.type === "Recreate") return { desired, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = "25%", maxUnavailable = "25%" } = spec?.strategy?.rollingUpdate ?? {};
  const surge = resolve(maxSurge, desired, Math.ceil);
  const missing = resolve(maxUnavailable, desired, Math.floor);
  return {
    desired,
    maxSurge: surge,
    maxUnavailable: Math.min(surge === 0 && missing === 0 ? 1 : missing, desired),
  };
}

function resolve(value: Immutable<meta.IntOrString>, of: number, round: (number: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d{1,9})%$/.exec(value)?.[1];
  return percent === undefined ? 0 : round((Number(percent) * of) / 100);
}
