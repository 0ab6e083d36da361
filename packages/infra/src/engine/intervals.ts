import { parseGoDuration } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { AnyKind, Managed } from "./aws-kind.ts";

const LEAST_MS = 30_000;

/** How often an object is compared. */
export function intervalOf({ driftMs }: Pick<AnyKind, "driftMs">, { spec }: Immutable<Managed>): number {
  const said = parseGoDuration(spec.management?.drift?.interval ?? "");
  return said === undefined || said <= 0n ? driftMs : Math.max(LEAST_MS, Number(said / 1_000_000n));
}

/**
 * When what was read at a time has to be read again, half an interval later at least: those that are read together at the same
 * moment, whoever they are; others at one that their uid picks out of the interval, so that calls are spread.
 */
export function dueAfter(begunAt: number, intervalMs: number, uid: string, together: boolean): number {
  const offset = together ? 0 : hash(uid) % intervalMs;
  return Math.ceil((begunAt + intervalMs / 2 - offset) / intervalMs) * intervalMs + offset;
}

/** Waits that are shorter are made to end together; longer ones are drift's, which do already. */
const SHORT_MS = 120_000;

/**
 * About how long to wait before something is looked at again, such that all who wait for as long look at the same moment: kinds that
 * are read together cost one call then, however far apart their objects were made.
 */
export function waitTogether(now: number, ms: number): number {
  if (ms <= 0 || ms >= SHORT_MS) return ms;
  return Math.ceil((now + ms / 2) / ms) * ms - now;
}

/** FNV-1a: only has to spread. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
