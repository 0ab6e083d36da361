import type { SeenHealth } from "../elbv2/ground.ts";

/** What one check of a target found. */
export type Finding =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly description: string };

/** How a target is seen, and how often in a row it was found otherwise. */
export interface HealthState {
  readonly seen: SeenHealth;
  readonly against: number;
}

export interface Thresholds {
  readonly healthy: number;
  readonly unhealthy: number;
}

export const FIRST_HEALTH: HealthState = {
  seen: {
    state: "initial",
    reason: "Elb.InitialHealthChecking",
    description: "Initial health checks in progress",
  },
  against: 0,
};

/** A new target needs one good check; one that was unhealthy needs as many as its group says. */
export function stepHealth({ seen, against }: HealthState, finding: Finding, thresholds: Thresholds): HealthState {
  if (finding.ok) {
    if (seen.state === "healthy") return { seen, against: 0 };
    const needed = seen.state === "initial" ? 1 : thresholds.healthy;
    return against + 1 >= needed ? { seen: { state: "healthy" }, against: 0 } : { seen, against: against + 1 };
  }
  const unhealthy: SeenHealth = { state: "unhealthy", reason: finding.reason, description: finding.description };
  if (seen.state === "unhealthy") return { seen: unhealthy, against: 0 };
  return against + 1 >= thresholds.unhealthy ? { seen: unhealthy, against: 0 } : { seen, against: against + 1 };
}
