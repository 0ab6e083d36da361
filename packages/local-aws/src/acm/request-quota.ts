import type { Commit } from "../state/state.ts";
import { certificatePrefix } from "./arn.ts";
import type { Place } from "./arn.ts";
import type { AcmQuotas } from "./quotas.ts";
import type { CertificateRecord } from "./records.ts";
import { limitExceeded } from "./refusals.ts";
import { placeKey } from "./store.ts";
import type { AcmStore } from "./store.ts";

/** Issued and imported certificates are counted apart. */
type Origin = "issued" | "imported";

/** How many certificates a place has of an origin, and when they were asked for within the last year, in order. */
interface Tally {
  present: number;
  readonly asked: number[];
}

const YEAR = 365 * 86_400_000;

/** Counts certificates and requests against the quotas. What it counts is kept in the store; the tallies are only quicker. */
export class RequestQuota {
  readonly #store: AcmStore;
  readonly #quotas: AcmQuotas;
  readonly #tallies = new Map<string, Tally>();

  constructor(store: AcmStore, quotas: AcmQuotas) {
    this.#store = store;
    this.#quotas = quotas;
  }

  /** Throws when one more certificate would be too many. */
  check(place: Place, origin: Origin, now: number): void {
    const { present, asked } = this.#tally(place, origin);
    while ((asked[0] ?? now) < now - YEAR) asked.shift();
    const { certificates, perYear } = this.#quotas;
    if (present >= certificates)
      throw limitExceeded(`Error: you have reached your limit of ${certificates} certificates.`);
    if (asked.length >= perYear) {
      throw limitExceeded(`Error: you have reached your limit of ${perYear} certificates in the last year.`);
    }
  }

  /** Puts a new certificate, and forgets requests that count no longer. */
  add(commit: Commit, place: Place, record: CertificateRecord): void {
    const { requests, certificates } = this.#store;
    const { arn, createdAt: now } = record;
    const tally = this.#tally(place, originOf(record));
    const prefix = prefixOf(place, originOf(record));
    const oldest = `${prefix}${moment(now - YEAR)}`;
    for (const [key] of requests.scan(prefix)) {
      if (key >= oldest) break;
      commit.delete(requests, key);
    }
    commit.put(requests, `${prefix}${moment(now)}|${arn.slice(arn.lastIndexOf("/") + 1)}`, true);
    commit.put(certificates, arn, record);
    tally.present++;
    tally.asked.push(now);
  }

  /** Deletes a certificate. That it was asked for still counts. */
  remove(commit: Commit, place: Place, record: CertificateRecord): void {
    this.#tally(place, originOf(record)).present--;
    commit.delete(this.#store.certificates, record.arn);
    commit.delete(this.#store.materials, record.arn);
  }

  #tally(place: Place, origin: Origin): Tally {
    const prefix = prefixOf(place, origin);
    let tally = this.#tallies.get(prefix);
    if (tally === undefined) {
      tally = { present: 0, asked: [] };
      for (const [, record] of this.#store.certificates.scan(certificatePrefix(place))) {
        if (originOf(record) === origin) tally.present++;
      }
      for (const [key] of this.#store.requests.scan(prefix))
        tally.asked.push(Number(key.slice(prefix.length).split("|", 1)[0]));
      this.#tallies.set(prefix, tally);
    }
    return tally;
  }
}

function originOf({ type }: CertificateRecord): Origin {
  return type === "IMPORTED" ? "imported" : "issued";
}

function prefixOf(place: Place, origin: Origin): string {
  return `${placeKey(place)}${origin}|`;
}

/** Of equal length for all, so that their order is that of time. */
function moment(ms: number): string {
  return String(Math.max(ms, 0)).padStart(15, "0");
}
