import type { IncomingBody } from "./incoming-body.ts";
import type { Http1Limits } from "./limits.ts";

/** Whether a client sends a body fast enough. Asked once every `progressMs` while somebody waits for more of it. */
export class BodyPace {
  readonly #least: number;
  #received = 0;

  constructor({ bytesPerSecond, progressMs }: Http1Limits) {
    this.#least = Math.max(1, (bytesPerSecond * progressMs) / 1000);
  }

  /** Another body begins. */
  start(): void {
    this.#received = 0;
  }

  /** Whether too little came since it was asked last. */
  isTooSlow(body: IncomingBody): boolean {
    const came = body.received - this.#received;
    this.#received = body.received;
    return came < this.#least;
  }
}
