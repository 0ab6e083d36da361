import type { Position } from "./delivery.ts";

const MOST = 10_000;

/** Where gateways were that have gone, so that one that comes back is sent only what has changed meanwhile. */
export class RememberedPositions {
  readonly #positions = new Map<string, Position>();

  keep(gateway: string, position: Position): void {
    this.#positions.delete(gateway);
    this.#positions.set(gateway, position);
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > MOST && oldest !== undefined) this.#positions.delete(oldest);
  }

  /** Where it was when its content had this hash. */
  find(gateway: string, hash: bigint | undefined): Position | undefined {
    const position = this.#positions.get(gateway);
    return position?.hash === hash ? position : undefined;
  }
}
