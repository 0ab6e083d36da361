import type { Random } from "@gatewright/ports";
import { fraction } from "../backends/balancing/fraction.ts";

/** How long to wait before a retry, the first being 1: anything up to a bound that doubles each time. */
export function backoffMs(
  retry: number,
  { baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number },
  random: Random,
): number {
  return fraction(random) * Math.min(baseMs * 2 ** (retry - 1), maxMs);
}
