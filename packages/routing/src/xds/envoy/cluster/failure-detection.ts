import { specMs } from "@gatewright/gateway/rows";
import type { BackendSpec } from "@gatewright/resources";
import type { BackendDraft } from "../backend-draft.ts";
import { durationOf } from "../packed.ts";

const NEVER = { enforcingSuccessRate: 0, enforcingConsecutiveGatewayFailure: 0, enforcingFailurePercentage: 0 };

type Detection = Pick<BackendSpec, "circuitBreaker" | "outlierDetection" | "hosts">;

/** Leaves hosts out that keep failing. A circuit is one of all hosts: of one host alone it is the same thing. */
export function failureDetection({ circuitBreaker, outlierDetection, hosts }: Detection, draft: BackendDraft): void {
  const breaks = circuitBreaker?.enabled === true ? circuitBreaker : undefined;
  if (outlierDetection?.enabled === true) {
    if (breaks !== undefined) draft.lacks("circuitBreaker", "outlierDetection takes its place");
    const baseMs = specMs(outlierDetection.baseEjectionTime, 30_000);
    draft.cluster.outlierDetection = {
      ...NEVER,
      consecutive5xx: outlierDetection.consecutiveErrors ?? 5,
      enforcingConsecutive5xx: 100,
      interval: durationOf(specMs(outlierDetection.interval, 10_000)),
      baseEjectionTime: durationOf(baseMs),
      maxEjectionTime: durationOf(Math.max(baseMs, 300_000)),
      maxEjectionPercent: outlierDetection.maxEjectionPercent ?? 10,
      alwaysEjectOneHost: true,
    };
    return;
  }
  if (breaks === undefined) return;
  draft.lacks("circuitBreaker", "requests that come right after the last failure still reach the hosts");
  if (hosts.length > 1) draft.lacks("circuitBreaker.threshold", "failures are counted for each host by itself");
  if ((breaks.halfOpenRequests ?? 1) !== 1) draft.lacks("circuitBreaker.halfOpenRequests", "all are let through again");
  const ms = specMs(breaks.timeout, 30_000);
  draft.cluster.outlierDetection = {
    ...NEVER,
    consecutive5xx: breaks.threshold,
    enforcingConsecutive5xx: 100,
    interval: durationOf(Math.min(ms, 1_000)),
    baseEjectionTime: durationOf(ms),
    maxEjectionTime: durationOf(ms),
    maxEjectionPercent: 100,
    alwaysEjectOneHost: true,
  };
}
