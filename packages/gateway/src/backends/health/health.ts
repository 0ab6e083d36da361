/** What checks have found out. Unknown counts as healthy: a backend serves while its first check is under way. */
export type Health =
  | { readonly is: "unknown" }
  | { readonly is: "healthy"; readonly against: number }
  | { readonly is: "unhealthy"; readonly against: number };

/** Nobody has checked yet. */
export const UNKNOWN_HEALTH: Health = { is: "unknown" };

/** After a check. The first decides at once; later ones change it when enough in a row say otherwise. Pure. */
export function stepHealth(
  health: Health,
  passed: boolean,
  thresholds: { readonly healthyThreshold: number; readonly unhealthyThreshold: number },
): Health {
  const says = passed ? "healthy" : "unhealthy";
  if (health.is === "unknown") return { is: says, against: 0 };
  if (health.is === says) return health.against === 0 ? health : { is: says, against: 0 };
  const against = health.against + 1;
  const enough = passed ? thresholds.healthyThreshold : thresholds.unhealthyThreshold;
  return against >= enough ? { is: says, against: 0 } : { ...health, against };
}
