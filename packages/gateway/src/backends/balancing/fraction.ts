import type { Random } from "@gatewright/ports";

/** An even number from 0 up to, not including, 1. */
export function fraction(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return (a * 0x1000000 + b * 0x10000 + c * 0x100 + d) / 0x1_0000_0000;
}

/** Whether something that happens in so many percent of cases happens now. */
export function happens(random: Random, percentage: number): boolean {
  return percentage >= 100 || (percentage > 0 && fraction(random) * 100 < percentage);
}
