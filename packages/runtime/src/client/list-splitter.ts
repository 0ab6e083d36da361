import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";
import { decodeText, MAX_OBJECT_BYTES } from "./read-body.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ITEMS = '"items"';
const MAX_ENVELOPE_BYTES = 1024 * 1024;

/** Where the splitter is: outside of the items, after their bracket or a comma, after one of them, or inside one. */
type Place = "envelope" | "items-begin" | "item-due" | "item-done" | "item";

/**
 * Takes a list apart as its bytes arrive: each object of `items` is decoded as soon as it is whole, and the rest of the document, the
 * envelope, at the end. Holds one object at a time. Bytes may be cut into chunks anywhere. Whatever is not exactly one JSON document
 * with one `items` array ends in a TransportError: a part of a list is never taken for all of it.
 */
export class ListSplitter {
  readonly #each: (item: Json) => void;
  #place: Place = "envelope";
  #inString = false;
  #escaped = false;
  /** Brackets open in the envelope, and in the present item. */
  #depth = 0;
  #itemDepth = 0;
  /** The last string on the envelope's first level, as written, and whether a colon came after it. */
  #key = "";
  #isValue = false;
  #hadItems = false;
  #envelope: Buffer[] = [];
  #envelopeBytes = 0;
  /** Pieces of the present item from earlier chunks. */
  #item: Buffer[] = [];
  #itemBytes = 0;

  constructor(each: (item: Json) => void) {
    this.#each = each;
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < chunk.length;) {
      if (this.#place === "envelope") at = this.#scanEnvelope(chunk, at);
      else if (this.#place === "item") at = this.#scanItem(chunk, at);
      else at = this.#scanBetween(chunk, at);
    }
  }

  /** The document without its items. Throws when there was not a whole list. */
  end(): JsonObject {
    if (this.#place !== "envelope" || this.#depth > 0 || this.#envelopeBytes === 0) {
      throw new TransportError("cut", "the list ended in the middle");
    }
    const envelope = parse(Buffer.concat(this.#envelope));
    if (!isObject(envelope) || !(this.#hadItems || envelope["items"] === null)) {
      throw new TransportError("malformed", "the answer is no list");
    }
    return envelope;
  }

  #scanEnvelope(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#depth === 1 && this.#key.length <= ITEMS.length) this.#key += String.fromCharCode(byte);
        this.#stepString(byte);
      } else if (byte === QUOTE) {
        this.#inString = true;
        if (this.#depth === 1) this.#key = '"';
      } else if (byte === COLON) {
        this.#isValue = this.#depth === 1;
      } else if (byte === COMMA) {
        this.#isValue = false;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        const begin = byte === OPEN_ARRAY && this.#depth === 1 && this.#isValue && this.#key === ITEMS;
        this.#depth++;
        if (begin) return this.#beginItems(chunk.subarray(from, at + 1), at + 1);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth--;
      }
    }
    this.#keepEnvelope(chunk.subarray(from));
    return chunk.length;
  }

  #beginItems(before: Buffer, at: number): number {
    if (this.#hadItems) throw new TransportError("malformed", "the list has its items twice");
    this.#hadItems = true;
    this.#keepEnvelope(before);
    this.#place = "items-begin";
    return at;
  }

  #scanBetween(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (byte === CLOSE_ARRAY && this.#place !== "item-due") {
        this.#place = "envelope";
        return at;
      }
      if (byte === COMMA && this.#place === "item-done") {
        this.#place = "item-due";
      } else if (byte === OPEN_OBJECT && this.#place !== "item-done") {
        this.#place = "item";
        return at;
      } else {
        throw new TransportError("malformed", "the list holds something that is no object");
      }
    }
    return chunk.length;
  }

  #scanItem(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) this.#stepString(byte);
      else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#itemDepth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --this.#itemDepth === 0) {
        this.#endItem(chunk.subarray(from, at + 1));
        return at + 1;
      }
    }
    const piece = chunk.subarray(from);
    this.#itemBytes += piece.length;
    if (this.#itemBytes > MAX_OBJECT_BYTES) throw new TransportError("malformed", "an object of the list is too large");
    this.#item.push(piece);
    return chunk.length;
  }

  #endItem(last: Buffer): void {
    this.#item.push(last);
    const whole = this.#item.length === 1 ? last : Buffer.concat(this.#item);
    this.#item = [];
    this.#itemBytes = 0;
    this.#place = "item-done";
    this.#each(parse(whole));
  }

  #stepString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  /** Copied, because the tail of a large chunk must not keep all of it. */
  #keepEnvelope(bytes: Buffer): void {
    this.#envelopeBytes += bytes.length;
    if (this.#envelopeBytes > MAX_ENVELOPE_BYTES) throw new TransportError("malformed", "the answer is no list");
    this.#envelope.push(Buffer.from(bytes));
  }
}

function parse(bytes: Buffer): Json {
  try {
    return JSON.parse(decodeText(bytes)) as Json;
  } catch (error) {
    throw new TransportError("malformed", "the list is not JSON", { cause: error });
  }
}
