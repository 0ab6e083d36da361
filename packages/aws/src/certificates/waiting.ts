import type { Clock } from "@gatewright/ports";
import type { Book } from "./book.ts";

/** Who and what waits for sweeps. */
export class Waiting {
  readonly #clock: Clock;
  readonly #book: Book;
  readonly #since = new Map<string, number>();
  readonly #owners = new Set<string>();

  constructor(clock: Clock, book: Book) {
    this.#clock = clock;
    this.#book = book;
  }

  /** Something is expected of this certificate. Whether that is new. */
  add(arn: string): boolean {
    if (this.#since.has(arn) || !this.#expects(arn)) return false;
    this.#since.set(arn, this.#clock.monotonic());
    return true;
  }

  /** Since when that is waited for which was added last and is still expected. */
  youngest(): number | undefined {
    let youngest: number | undefined;
    for (const [arn, since] of this.#since) {
      if (!this.#expects(arn)) this.#since.delete(arn);
      else if (youngest === undefined || since > youngest) youngest = since;
    }
    return youngest;
  }

  /** The owner is among those to tell when something was listed. */
  forSweep(owner: string | undefined): "unknown" {
    if (owner !== undefined) this.#owners.add(owner);
    return "unknown";
  }

  takeOwners(): readonly string[] {
    const owners = [...this.#owners];
    this.#owners.clear();
    return owners;
  }

  clear(): void {
    this.#since.clear();
    this.#owners.clear();
  }

  #expects(arn: string): boolean {
    const entry = this.#book.get(arn);
    if (entry === undefined || entry.presence.is === "absent") return false;
    return (entry.certificate?.status ?? "PENDING_VALIDATION") === "PENDING_VALIDATION";
  }
}
