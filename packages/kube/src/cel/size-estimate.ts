/** A range of sizes or costs. Nothing is larger than {@link unlimited}: sums and products stop there. */
export interface Estimate {
  readonly min: number;
  readonly max: number;
}

export type SizeEstimate = Estimate;
export type CostEstimate = Estimate;

/** What an unbounded estimate is: the largest 64-bit number. */
export const unlimited = 2 ** 64;

/** The size of a value whose type says nothing about it. */
export const unknownSize: SizeEstimate = { min: 0, max: unlimited };
export const free: CostEstimate = { min: 0, max: 0 };

/** An estimate that is certain. */
export function fixed(value: number): Estimate {
  return { min: value, max: value };
}

export function sum(a: Estimate, b: Estimate): Estimate {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) };
}

export function product(a: Estimate, b: Estimate): Estimate {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Multiplied by a factor and rounded up. */
export function scaled(a: Estimate, factor: number): Estimate {
  return { min: capped(Math.ceil(a.min * factor)), max: capped(Math.ceil(a.max * factor)) };
}

/** The smallest range that covers both. */
export function union(a: Estimate, b: Estimate): Estimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(value: number): number {
  return Math.min(value, unlimited);
}
