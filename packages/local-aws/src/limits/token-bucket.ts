/** How much a bucket holds, and how fast it fills: tokens, and tokens a second. */
export interface BucketSize {
  readonly capacity: number;
  readonly refill: number;
}

/** A bucket at the moment when it was last looked at, in milliseconds of a clock that never goes back. */
export interface BucketLevel {
  readonly tokens: number;
  readonly at: number;
}

/** What is in a bucket now. One that was never used is full. */
export function tokensNow(size: BucketSize, level: BucketLevel | undefined, now: number): number {
  if (!level) return size.capacity;
  return Math.min(size.capacity, level.tokens + ((now - level.at) / 1000) * size.refill);
}

/** What a call needs: its cost, but never more than the bucket can hold, or it could never be made. */
export function tokensNeeded(size: BucketSize, cost: number): number {
  return Math.min(cost, size.capacity);
}
