import { LEASE_METRICS } from "../telemetry/metric-definitions.ts";
import type { Metrics } from "@gatewright/telemetry";
import type { Standing } from "./create-elector.ts";

/** Counts the renewals of a lease that had to read it first: what an elector is to call when its standing changes. */
export function slowPathMetric(metrics: Metrics | undefined, leaseName: string): (standing: Standing) => void {
  const slow = metrics?.counter(LEASE_METRICS.slowPath);
  slow?.inc([leaseName], 0);
  let counted = 0;
  return ({ slowPaths }) => {
    // A thread that was started anew begins to count anew.
    slow?.inc([leaseName], slowPaths < counted ? slowPaths : slowPaths - counted);
    counted = slowPaths;
  };
}
