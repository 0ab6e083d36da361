import type { CheckedObject } from "../configuration/checked-object.ts";

/**
 * An object whose rates are one worker's share: workers do not count together, and the system spreads connections evenly over them. A
 * burst is at least one request.
 */
export function dividedLimits(object: CheckedObject, workers: number): CheckedObject {
  const { rateLimit } = object.spec;
  if (workers === 1 || rateLimit === undefined) return object;
  const { requestsPerSecond, burst } = rateLimit;
  const share = {
    ...rateLimit,
    requestsPerSecond: requestsPerSecond / workers,
    burst: Math.max(1, Math.round(burst / workers)),
  };
  return { ...object, spec: { ...object.spec, rateLimit: share } } as CheckedObject;
}
