import { Fields } from "../exchange/fields.ts";
import { readFields } from "./message-fields.ts";
import type { MessageFields } from "./message-fields.ts";

const EMPTY_LINE = "\r\n".length;

/**
 * Reads the fields of one connection's messages. Peers repeat themselves: fields that are, byte for byte, those of the message before
 * mean what they meant, and are not read again.
 */
export class FieldMemory {
  readonly #maxFields: number;
  readonly #underscores: "refuse" | "drop" | "pass";
  #text = "";
  #meaning: MessageFields | undefined;
  #flat: readonly string[] = [];

  constructor(maxFields: number, underscores: "refuse" | "drop" | "pass") {
    this.#maxFields = maxFields;
    this.#underscores = underscores;
  }

  /** As `readFields`, of a head with the empty line that ends it. What it gives is the caller's: changes to it are not remembered. */
  read(text: string, at: number): MessageFields {
    const lines = text.slice(at);
    const known = this.#meaning;
    if (known !== undefined && lines === this.#text) {
      const { host, length, connection, upgrade, expect } = known;
      return { fields: new Fields(this.#flat.slice()), host, length, connection, upgrade, expect };
    }
    const meaning = readFields(text, at, text.length - EMPTY_LINE, this.#maxFields, this.#underscores);
    this.#text = lines;
    this.#meaning = meaning;
    this.#flat = meaning.fields.flat.slice();
    return meaning;
  }
}
