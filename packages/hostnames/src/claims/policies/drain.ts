import { parseTime } from "@gatewright/kube";
import type { Observation } from "../observation.ts";

/** Times of statuses are cut to seconds. */
const SECOND_MS = 1_000;

type Moment = Pick<Observation, "settings" | "now">;

/** How long resolvers may still know what has gone at a time. */
export function drainMs({ settings, now }: Moment, since: string): number {
  return (parseTime(since) ?? now) + SECOND_MS + settings.drainMs - now;
}

/** The clock was put back since then, or another process's is ahead: how long ago it was cannot be told, and the wait begins anew. */
export function isAhead({ now }: Moment, since: string): boolean {
  return (parseTime(since) ?? now) > now + SECOND_MS;
}
