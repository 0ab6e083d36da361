import { BadMessage } from "./bad-message.ts";
import { CR, LF } from "./characters.ts";
import type { Http1Limits } from "./limits.ts";

const HEAD_END = Buffer.from("\r\n\r\n");
/** What a request line has besides its target, generously. */
const LINE_BYTES = 64;

/** Finds where heads end, in bytes that come in pieces of any size. */
export class HeadReader {
  readonly #limits: Http1Limits;
  readonly #skipsEmptyLine: boolean;
  #held: Buffer | undefined;
  #rest: Buffer | undefined;

  /** `skipsEmptyLine`: one CRLF may come before a head, as some old clients send behind bodies. */
  constructor(limits: Http1Limits, skipsEmptyLine: boolean) {
    this.#limits = limits;
    this.#skipsEmptyLine = skipsEmptyLine;
  }

  /** Nothing of a head is here. */
  get isEmpty(): boolean {
    return this.#held === undefined;
  }

  /** The text of a head up to the CRLF of its last field, or undefined until there is a whole one. Throws `BadMessage`. */
  read(bytes: Buffer): string | undefined {
    const before = this.#held;
    const all = before === undefined ? bytes : Buffer.concat([before, bytes]);
    const start = this.#skipsEmptyLine && all[0] === CR && all[1] === LF ? 2 : 0;
    const end = all.indexOf(HEAD_END, start);
    if (end === -1) {
      this.#check(all, before?.length ?? 0, start);
      this.#held = all;
      return undefined;
    }
    if (end + 4 - start > this.#limits.headBytes) throw this.#tooLong(all, start);
    this.#held = undefined;
    this.#rest = end + 4 === all.length ? undefined : all.subarray(end + 4);
    return all.toString("latin1", start, end + 2);
  }

  /** What came behind the head that was read last. */
  takeRest(): Buffer | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }

  /** Refuses what can no longer become a head, instead of waiting for its end. */
  #check(all: Buffer, from: number, start: number): void {
    if (all.length - start > this.#limits.headBytes) throw this.#tooLong(all, start);
    for (let at = from; at < all.length; at++) {
      const byte = all[at];
      if (byte === 0 || (byte === LF && all[at - 1] !== CR)) throw new BadMessage(400, "a line has no proper end");
    }
    if (all.length - start > this.#limits.targetBytes + LINE_BYTES && this.#isTargetTooLong(all, start)) {
      throw new BadMessage(414, "the target is too long");
    }
  }

  #tooLong(all: Buffer, start: number): BadMessage {
    return this.#isTargetTooLong(all, start)
      ? new BadMessage(414, "the target is too long")
      : new BadMessage(431, "the head is too long");
  }

  #isTargetTooLong(all: Buffer, start: number): boolean {
    const end = all.indexOf("\r\n", start, "latin1");
    return (end === -1 ? all.length : end) - start > this.#limits.targetBytes + LINE_BYTES;
  }
}
