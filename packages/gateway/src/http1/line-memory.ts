import type { Fields } from "../exchange/fields.ts";
import { fieldLines } from "./field-lines.ts";

/**
 * Writes the fields of one connection's messages. Peers repeat themselves: fields that are, one by one, those of the message before
 * become the lines that those became, and are not judged again.
 */
export class LineMemory {
  #flat: readonly string[] = [];
  #lines = "";

  /** As `fieldLines`. */
  of({ flat }: Fields): string {
    if (isSame(flat, this.#flat)) return this.#lines;
    this.#flat = flat.slice();
    this.#lines = fieldLines(flat);
    return this.#lines;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
