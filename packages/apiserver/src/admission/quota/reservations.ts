import type { Clock } from "@gatewright/ports";
import type { Store } from "../../store/store.ts";
import { addAmounts } from "../pod-resources.ts";
import type { ResourceAmounts } from "../pod-resources.ts";

/** A write that was let through and neither appeared nor was given up after this long has failed. */
const LONGEST_WRITE_MS = 10_000;

interface Reservation {
  readonly quotas: ReadonlySet<string>;
  readonly amounts: ResourceAmounts;
}

/**
 * What requests that were let through are about to use, until the store shows it. Without this, requests that arrive
 * together would all fit into the last free place.
 */
export class Reservations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #held = new Set<Reservation>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds what is reserved against a quota. */
  addTo(used: ResourceAmounts, quotaUid: string): void {
    for (const { quotas, amounts } of this.#held) if (quotas.has(quotaUid)) addAmounts(used, amounts);
  }

  /** Holds the amounts until the object at `key` is next written, or for a while if it never is. */
  hold(table: string, key: string, quotas: ReadonlySet<string>, amounts: ResourceAmounts): void {
    const reservation: Reservation = { quotas, amounts };
    this.#held.add(reservation);
    const release = (): void => {
      this.#held.delete(reservation);
      cancelTimer();
      if (endWatch !== "expired") endWatch();
    };
    const cancelTimer = this.#clock.timer(LONGEST_WRITE_MS, release);
    const endWatch = this.#store.table(table).watch(this.#store.revision, (change) => {
      if (change.entry.key === key) release();
    });
  }
}
