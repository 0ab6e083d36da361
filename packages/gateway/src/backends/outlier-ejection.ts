/** When an endpoint is left out because of its answers. The defaults are Envoy's. */
export interface EjectionSettings {
  /** Failures in a row (no answer, or 500 and above); 0: never for this reason. */
  readonly consecutiveFailures: number;
  /** How often rates of success are compared, and how long an endpoint has to behave to have one ejection forgotten. */
  readonly intervalMs: number;
  /** How long it is left out: this, times the number of ejections in a row. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** How many of a backend's endpoints may be left out. One may always, as long as another is left. */
  readonly maxPercent: number;
  /** Endpoints, and requests to each in an interval, that make rates comparable. */
  readonly successRateHosts: number;
  readonly successRateRequests: number;
  /** Standard deviations below the mean at which an endpoint is an outlier. */
  readonly successRateDeviations: number;
}

/** Envoy's. */
export const EJECTION_DEFAULTS: EjectionSettings = {
  consecutiveFailures: 5,
  intervalMs: 10_000,
  baseMs: 30_000,
  maxMs: 300_000,
  maxPercent: 10,
  successRateHosts: 5,
  successRateRequests: 100,
  successRateDeviations: 1.9,
};

/** What is known about an endpoint's answers. `until` is 0, or when it comes back: then `times` counts its ejections. */
export interface Standing {
  readonly failures: number;
  readonly until: number;
  readonly times: number;
}

/** Nothing is held against it. */
export const GOOD_STANDING: Standing = { failures: 0, until: 0, times: 0 };

/** After an answer. The same object where nothing changes. `tooMany`: the failures in a row are enough to leave it out. */
export function afterAnswer(
  standing: Standing,
  ok: boolean,
  { consecutiveFailures }: EjectionSettings,
): { readonly standing: Standing; readonly tooMany: boolean } {
  if (ok) return { standing: standing.failures === 0 ? standing : { ...standing, failures: 0 }, tooMany: false };
  const failures = standing.failures + 1;
  return {
    standing: { ...standing, failures },
    tooMany: consecutiveFailures > 0 && failures >= consecutiveFailures,
  };
}

/** Leaves an endpoint out, longer each time; one interval of good behaviour since the last time takes one time back. */
export function ejected(standing: Standing, now: number, settings: EjectionSettings): Standing {
  const { baseMs, maxMs, intervalMs } = settings;
  const forgotten = standing.until === 0 ? 0 : Math.floor(Math.max(0, now - standing.until) / intervalMs);
  const times = Math.max(0, standing.times - forgotten) + 1;
  return { failures: 0, until: now + Math.min(baseMs * times, maxMs), times };
}

/** Whether one more of `total` may be left out when `out` are already and `available` could take requests now. */
export function mayEject(total: number, out: number, available: number, { maxPercent }: EjectionSettings): boolean {
  if (available < 2) return false;
  return out === 0 || ((out + 1) * 100) / total <= maxPercent;
}

/** Which of these have far fewer successes than the others. Indexes of `counts`. */
export function successRateOutliers(
  counts: readonly { readonly asked: number; readonly succeeded: number }[],
  settings: EjectionSettings,
): number[] {
  const rates = counts
    .map(({ asked, succeeded }, index) => ({ index, rate: asked === 0 ? 1 : succeeded / asked, asked }))
    .filter(({ asked }) => asked >= settings.successRateRequests);
  if (rates.length < settings.successRateHosts) return [];
  const mean = rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, { rate }) => sum + (rate - mean) ** 2, 0) / rates.length;
  const least = mean - settings.successRateDeviations * Math.sqrt(variance);
  return rates.filter(({ rate }) => rate < least).map(({ index }) => index);
}
