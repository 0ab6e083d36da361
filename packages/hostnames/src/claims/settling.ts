import type { Clock } from "@gatewright/ports";

/** For how long what was attached counts as attached while its Gateway is being changed. */
const GRACE_MS = 300_000;

/** Since when claims wait for their Gateway to be programmed again: it is changed whenever any of its hostnames is. */
export interface Settling {
  /** How much of the grace is left; 0 when it is over. */
  leftMs(claim: string): number;
  settled(claim: string): void;
}

export function createSettling(clock: Clock): Settling {
  const since = new Map<string, number>();
  return {
    leftMs(claim) {
      const now = clock.monotonic();
      const began = since.get(claim) ?? now;
      since.set(claim, began);
      return Math.max(0, began + GRACE_MS - now);
    },
    settled: (claim) => void since.delete(claim),
  };
}
