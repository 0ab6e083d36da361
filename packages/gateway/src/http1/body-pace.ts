import type { Http1Limits } from "./limits.ts";

/** Whether a client sends a body, or takes an answer, fast enough. Asked once every `progressMs` while it is waited for. */
export class BodyPace {
  readonly #least: number;
  #moved = 0;

  constructor({ bytesPerSecond, progressMs }: Http1Limits) {
    this.#least = Math.max(1, (bytesPerSecond * progressMs) / 1000);
  }

  /** It is waited for from now on; so many bytes moved before. */
  start(moved: number): void {
    this.#moved = moved;
  }

  /** Whether too little moved since it was asked last; so many bytes have by now. */
  isTooSlow(moved: number): boolean {
    const came = moved - this.#moved;
    this.#moved = moved;
    return came < this.#least;
  }
}
