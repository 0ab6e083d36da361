import { parseGoDuration } from "@gatewright/kube";
import { UsageError } from "../usage-error.ts";

/** Milliseconds of a flag that takes a duration. */
export function durationFlag(flag: string, text: string): number {
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds !== undefined && nanoseconds >= 0n) return Number(nanoseconds / 1_000_000n);
  throw new UsageError(`${flag} takes a duration such as 30s or 5m, not ${JSON.stringify(text)}`);
}
