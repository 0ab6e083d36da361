import type { Commit } from "../state/state.ts";
import type { Place } from "./arn.ts";
import type { AcmQuotas } from "./quotas.ts";
import { limitExceeded } from "./refusals.ts";
import { placeKey } from "./store.ts";
import type { AcmStore } from "./store.ts";

/** Issued and imported certificates are counted apart. */
export type Origin = "issued" | "imported";

const YEAR = 365 * 86_400_000;

/** Throws when there are too many certificates, or were too many requests within the year before `now`. */
export function checkQuotas(store: AcmStore, quotas: AcmQuotas, place: Place, origin: Origin, now: number): void {
  let present = 0;
  for (const { type } of store.certificatesIn(place)) if ((type === "IMPORTED") === (origin === "imported")) present++;
  if (present >= quotas.certificates) {
    throw limitExceeded(`Error: you have reached your limit of ${quotas.certificates} certificates.`);
  }
  let asked = 0;
  const prefix = prefixOf(place, origin);
  for (const _each of store.requests.scan(prefix, `${prefix}${moment(now - YEAR)}`)) asked++;
  if (asked >= quotas.perYear) {
    throw limitExceeded(`Error: you have reached your limit of ${quotas.perYear} certificates in the last year.`);
  }
}

/** Counts a request, and forgets those that count no longer. */
export function countRequest(
  commit: Commit,
  store: AcmStore,
  place: Place,
  origin: Origin,
  now: number,
  arn: string,
): void {
  const prefix = prefixOf(place, origin);
  const oldest = `${prefix}${moment(now - YEAR)}`;
  for (const [key] of store.requests.scan(prefix)) {
    if (key >= oldest) break;
    commit.delete(store.requests, key);
  }
  commit.put(store.requests, `${prefix}${moment(now)}|${arn.slice(arn.lastIndexOf("/") + 1)}`, true);
}

function prefixOf(place: Place, origin: Origin): string {
  return `${placeKey(place)}${origin}|`;
}

/** Of equal length for all, so that their order is that of time. */
function moment(ms: number): string {
  return String(Math.max(ms, 0)).padStart(15, "0");
}
