import type { Elector } from "../../lease/elector.ts";
import { NotLeadingError } from "../../lease/write-gate.ts";
import { aborted } from "@gatewright/ports";

/** An elector that leads when a test says so. */
export class FakeElector implements Elector {
  readonly #diary: string[];
  #term = new AbortController();
  #begun = Promise.withResolvers<AbortSignal>();
  #leads = false;
  holder: string | undefined;
  epoch = 0;

  constructor(diary: string[] = []) {
    this.#diary = diary;
  }

  lead(): void {
    this.#leads = true;
    this.epoch++;
    this.#term = new AbortController();
    this.#begun.resolve(this.#term.signal);
  }

  lose(): void {
    this.#leads = false;
    this.#begun = Promise.withResolvers();
    this.#term.abort(new NotLeadingError());
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#diary.push("election begins");
    await aborted(signal);
    this.#diary.push("lease released");
    if (this.#leads) this.lose();
  }

  async whenLeading(signal: AbortSignal): Promise<AbortSignal> {
    const leading = await Promise.race([this.#begun.promise, aborted(signal)]);
    if (leading === undefined) throw signal.reason;
    return leading;
  }

  check(): void {
    if (!this.#leads) throw new NotLeadingError();
  }

  validUntil(): number {
    return this.#leads ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
}
