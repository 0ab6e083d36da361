import { humanDuration, parseTime } from "@gatewright/kube";

/** `5m`: how long ago that was, as kubectl tells ages; empty for no time. */
export function ageOf(time: string | undefined, now: number): string {
  const at = parseTime(time ?? "");
  return at === undefined ? "" : humanDuration(Math.max(0, now - at));
}
