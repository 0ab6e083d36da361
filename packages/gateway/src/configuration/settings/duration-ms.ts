import { parseGoDuration } from "@gatewright/kube";

/** Milliseconds of a duration that a schema has taken. */
export function durationMs(text: string): number {
  return Number(parseGoDuration(text) ?? 0n) / 1e6;
}
