import { BadMessage } from "./bad-message.ts";
import { CR, LF } from "./characters.ts";
import type { Http1Limits } from "./limits.ts";

const HEAD_END = Buffer.from("\r\n\r\n");
/** What a request line has besides its target, generously. */
const LINE_BYTES = 64;

/** Holds what came by a connection and was not read yet, and finds where heads end in it. */
export class HeadReader {
  readonly #limits: Http1Limits;
  readonly #skipsEmptyLine: boolean;
  #held: Buffer | undefined;
  /** How many of the bytes were found to be fit for a head that is not whole yet. */
  #checked = 0;

  /** `skipsEmptyLine`: one CRLF may come before a head, as some old clients send behind bodies. */
  constructor(limits: Http1Limits, skipsEmptyLine: boolean) {
    this.#limits = limits;
    this.#skipsEmptyLine = skipsEmptyLine;
  }

  /** How many bytes are held. */
  get size(): number {
    return this.#held?.length ?? 0;
  }

  hold(bytes: Buffer): void {
    this.#held = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes]);
  }

  /** Everything that is held, which is held no longer. */
  take(): Buffer | undefined {
    const held = this.#held;
    this.#held = undefined;
    this.#checked = 0;
    return held;
  }

  /** Takes the text of a head, up to the CRLF of its last field. Undefined until there is a whole one. Throws `BadMessage`. */
  read(): string | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    const start = this.#skipsEmptyLine && held[0] === CR && held[1] === LF ? 2 : 0;
    const end = held.indexOf(HEAD_END, start);
    if (end === -1) {
      this.#check(held, start);
      return undefined;
    }
    if (end + 4 - start > this.#limits.headBytes) throw this.#tooLong(held, start);
    this.#held = end + 4 === held.length ? undefined : held.subarray(end + 4);
    this.#checked = 0;
    return held.toString("latin1", start, end + 2);
  }

  /** Refuses what can no longer become a head, instead of waiting for its end. */
  #check(held: Buffer, start: number): void {
    if (held.length - start > this.#limits.headBytes) throw this.#tooLong(held, start);
    for (let at = this.#checked; at < held.length; at++) {
      const byte = held[at];
      if (byte === 0 || (byte === LF && held[at - 1] !== CR)) throw new BadMessage(400, "a line has no proper end");
    }
    this.#checked = held.length;
    if (this.#isTargetTooLong(held, start)) throw new BadMessage(414, "the target is too long");
  }

  #tooLong(held: Buffer, start: number): BadMessage {
    return this.#isTargetTooLong(held, start)
      ? new BadMessage(414, "the target is too long")
      : new BadMessage(431, "the head is too long");
  }

  #isTargetTooLong(held: Buffer, start: number): boolean {
    const most = this.#limits.targetBytes + LINE_BYTES;
    if (held.length - start <= most) return false;
    const end = held.indexOf("\r\n", start, "latin1");
    return (end === -1 ? held.length : end) - start > most;
  }
}
