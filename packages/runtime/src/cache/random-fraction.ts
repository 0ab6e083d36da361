import type { Random } from "@gatewright/ports";

/** A number in [0, 1), evenly. */
export function randomFraction(random: Random): number {
  const bytes = random.bytes(4);
  return (bytes[0]! * 2 ** 24 + bytes[1]! * 2 ** 16 + bytes[2]! * 2 ** 8 + bytes[3]!) / 2 ** 32;
}
