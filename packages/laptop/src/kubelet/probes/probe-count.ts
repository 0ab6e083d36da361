/** Results of a probe that were the same in a row. */
export interface ProbeCount {
  readonly ok: boolean;
  readonly inARow: number;
}

export interface Thresholds {
  readonly success: number;
  readonly failure: number;
}

/** One more result. Pure. */
export function countProbe(count: ProbeCount | undefined, ok: boolean): ProbeCount {
  return count?.ok === ok ? { ok, inARow: count.inARow + 1 } : { ok, inARow: 1 };
}

/** What the results mean; undefined while there are too few of them to say. */
export function probeVerdict({ ok, inARow }: ProbeCount, { success, failure }: Thresholds): boolean | undefined {
  return inARow >= (ok ? success : failure) ? ok : undefined;
}
