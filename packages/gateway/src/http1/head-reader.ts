import { BadMessage } from "./bad-message.ts";
import { CR, LF } from "./characters.ts";
import type { Http1Limits } from "./limits.ts";

const HEAD_END = "\r\n\r\n";
/** What a request line has besides its target, generously. */
const LINE_BYTES = 64;
/** Up to here what comes is held as text. */
export const TEXT_BYTES = 4 * 1024;

/**
 * Holds what came by a connection and was not read yet, and finds where heads end in it. Most messages are small and come whole: they
 * are held as text from the beginning, as everything that is done with bytes costs several times as much.
 */
export class HeadReader {
  readonly #limits: Http1Limits;
  readonly #skipsEmptyLine: boolean;
  /** One of them has what is held. */
  #text: string | undefined;
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
    return this.#text?.length ?? this.#held?.length ?? 0;
  }

  /** Takes the first `length` bytes. More than {@link TEXT_BYTES} of them have to be the reader's from here on. */
  hold(bytes: Buffer, length = bytes.length): void {
    const before = this.#bytes();
    this.#text = undefined;
    if (before !== undefined) this.#held = Buffer.concat([before, bytes.subarray(0, length)]);
    else if (length <= TEXT_BYTES) this.#text = bytes.toString("latin1", 0, length);
    else this.#held = bytes;
  }

  /** Everything that is held, which is held no longer. */
  take(): Buffer | undefined {
    const held = this.#bytes();
    this.#drop();
    return held;
  }

  /** The same as text, a character for each byte, when that is at hand. */
  takeText(): string | undefined {
    const text = this.#text;
    if (text !== undefined) this.#drop();
    return text;
  }

  /** Takes the text of a head, up to the empty line that ends it. Undefined until there is a whole one. Throws `BadMessage`. */
  read(): string | undefined {
    const held = this.#held;
    const most = this.#limits.headBytes;
    const text = this.#text ?? held?.toString("latin1", 0, Math.min(held.length, most + 2));
    if (text === undefined) return undefined;
    const start = this.#skipsEmptyLine && text.startsWith("\r\n") ? 2 : 0;
    const end = text.indexOf(HEAD_END, start);
    if (end === -1 || end + 4 - start > most) {
      this.#check(this.#bytes() ?? Buffer.alloc(0), start);
      return undefined;
    }
    this.#checked = 0;
    if (held === undefined) this.#text = end + 4 === text.length ? undefined : text.slice(end + 4);
    else this.#held = end + 4 === held.length ? undefined : held.subarray(end + 4);
    return text.slice(start, end + 4);
  }

  #bytes(): Buffer | undefined {
    return this.#text === undefined ? this.#held : Buffer.from(this.#text, "latin1");
  }

  #drop(): void {
    this.#text = undefined;
    this.#held = undefined;
    this.#checked = 0;
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
