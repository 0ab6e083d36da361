import { createHash } from "node:crypto";

/**
 * Everything that happened in a world, as text and as one hash. Two runs of a seed have equal hashes, or something in them depends
 * on what it must not: real time, real randomness, the order of unordered things.
 */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly #now: () => number;
  readonly lines: string[] = [];
  /** What the hash has not been told yet: many small updates cost more than one. */
  #untold = "";

  constructor(now: () => number) {
    this.#now = now;
  }

  /** One thing that happened to somebody. `content` counts for the hash and is not shown. */
  tell(who: string, what: string, content?: Uint8Array | string): void {
    const line = `${this.#now().toFixed(3).padStart(12)} ${who.padEnd(10)} ${what}`;
    this.lines.push(line);
    this.#untold += typeof content === "string" ? line + content : line;
    if (this.#untold.length > 16_384 || content instanceof Uint8Array) this.#flush();
    if (content instanceof Uint8Array) this.#hash.update(content);
  }

  /** Of everything told so far. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest("hex");
  }

  #flush(): void {
    this.#hash.update(this.#untold);
    this.#untold = "";
  }
}
