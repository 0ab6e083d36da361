import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";

export interface BriefMemoryOptions {
  readonly clock: Clock;
  /** How long an answer is believed. */
  readonly ttlMs: number;
  /** Answers that are kept; the oldest go first. */
  readonly size: number;
  /** How long one question may take. */
  readonly patienceMs: number;
  /** Questions that may be under way at once; more are refused, so that strangers cannot make us ask without end. */
  readonly asking: number;
}

interface Remembered<T> {
  readonly answer: Promise<T>;
  readonly until: number;
}

/** Answers to questions that many ask at once: each is asked once, and believed for a while. Failures are not remembered. */
export class BriefMemory<T> {
  readonly #options: BriefMemoryOptions;
  readonly #answers = new Map<string, Remembered<T>>();
  #asking = 0;

  constructor(options: BriefMemoryOptions) {
    this.#options = options;
  }

  /** What is known of the key, or what `ask` finds out. The signal it gets is nobody's own: others may wait for the same. */
  get(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, ttlMs, size } = this.#options;
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > clock.monotonic()) return known.answer;
    const answer = this.#ask(ask);
    this.#answers.delete(key);
    this.#answers.set(key, { answer, until: clock.monotonic() + ttlMs });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= size) break;
      this.#answers.delete(oldest);
    }
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
    });
    return answer;
  }

  async #ask(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, patienceMs, asking } = this.#options;
    if (this.#asking >= asking) throw new Error("too many questions are under way");
    using limit = deadline(clock, patienceMs);
    this.#asking++;
    try {
      return await ask(limit.signal);
    } finally {
      this.#asking--;
    }
  }
}
