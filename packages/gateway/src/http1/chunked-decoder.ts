import { mayBeTrailer } from "../exchange/field-rules.ts";
import { Fields } from "../exchange/fields.ts";
import { BadMessage } from "./bad-message.ts";
import { CR, HEX, LF, VALUE } from "./characters.ts";
import type { Http1Limits } from "./limits.ts";
import { readFields } from "./message-fields.ts";

/** Where a decoder is in the grammar of chunks. */
type Place =
  | "size"
  | "extension"
  | "size-lf"
  | "data"
  | "data-cr"
  | "data-lf"
  | "trailer-start"
  | "trailer"
  | "end-lf"
  | "end";

/** More digits than any chunk needs, few enough to be exact. */
const SIZE_DIGITS = 12;
const SEMICOLON = 0x3b;

/** Takes chunks apart. Accepts CRLF only; extensions are skipped and bounded. */
export class ChunkedDecoder {
  readonly #limits: Http1Limits;
  #place: Place = "size";
  #left = 0;
  #digits = 0;
  #extensionBytes = 0;
  /** Only ever added to until it is whole: looking into it would copy it each time. */
  #trailerText = "";
  #lastByte = 0;
  #trailers: Fields | undefined;

  constructor(limits: Http1Limits) {
    this.#limits = limits;
  }

  /** All of the body was read. */
  get isEnd(): boolean {
    return this.#place === "end";
  }

  /** What came after the last chunk, once {@link isEnd}. */
  get trailers(): Fields | undefined {
    return this.#trailers;
  }

  /**
   * Reads on from `from`, adds pieces of the body to `pieces`, and returns where it stopped: at the end of the bytes, or behind the
   * body. Throws `BadMessage`.
   */
  decode(bytes: Buffer, from: number, pieces: Buffer[]): number {
    let at = from;
    while (at < bytes.length && this.#place !== "end") {
      if (this.#place === "data") {
        const end = Math.min(bytes.length, at + this.#left);
        pieces.push(bytes.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#place = "data-cr";
      } else this.#step(bytes[at++] ?? 0);
    }
    return at;
  }

  #step(byte: number): void {
    switch (this.#place) {
      case "size":
        this.#size(byte);
        break;
      case "extension":
        if (++this.#extensionBytes > this.#limits.trailerBytes)
          throw new BadMessage(413, "chunks have long extensions");
        if (byte === CR) this.#place = "size-lf";
        else if (VALUE[byte] !== 1) throw new BadMessage(400, "a chunk has no proper extension");
        break;
      case "size-lf":
        expect(byte, LF);
        this.#digits = 0;
        this.#place = this.#left === 0 ? "trailer-start" : "data";
        break;
      case "data-cr":
        expect(byte, CR);
        this.#place = "data-lf";
        break;
      case "data-lf":
        expect(byte, LF);
        this.#place = "size";
        break;
      case "trailer-start":
        if (byte === CR) this.#place = "end-lf";
        else this.#trailer(byte);
        break;
      case "trailer":
        this.#trailer(byte);
        break;
      case "end-lf":
        expect(byte, LF);
        this.#trailers = this.#trailerText === "" ? undefined : this.#readTrailers();
        this.#place = "end";
        break;
      case "data":
      case "end":
    }
  }

  #size(byte: number): void {
    const digit = HEX[byte] ?? 255;
    if (digit !== 255) {
      if (++this.#digits > SIZE_DIGITS) throw new BadMessage(400, "the size of a chunk has too many digits");
      this.#left = this.#left * 16 + digit;
    } else if (this.#digits > 0 && byte === CR) this.#place = "size-lf";
    else if (this.#digits > 0 && byte === SEMICOLON) this.#place = "extension";
    else throw new BadMessage(400, "the size of a chunk is no number");
  }

  #trailer(byte: number): void {
    if (this.#trailerText.length >= this.#limits.trailerBytes) throw new BadMessage(431, "the trailers are too long");
    const before = this.#lastByte;
    this.#lastByte = byte;
    if (byte === LF ? before !== CR : before === CR)
      throw new BadMessage(400, "a line of the trailers has no proper end");
    this.#trailerText += String.fromCharCode(byte);
    this.#place = byte === LF ? "trailer-start" : "trailer";
  }

  /** The trailers that may be told to others; framing and hop-by-hop fields are not among them. */
  #readTrailers(): Fields | undefined {
    const text = this.#trailerText;
    const { fields } = readFields(text, 0, text.length, this.#limits.fields, "drop");
    const kept = new Fields();
    for (const [name, value] of fields) if (mayBeTrailer(name)) kept.add(name, value);
    return kept.flat.length === 0 ? undefined : kept;
  }
}

function expect(byte: number, wanted: number): void {
  if (byte !== wanted) throw new BadMessage(400, "a chunk does not end where it says");
}
