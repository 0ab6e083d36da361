import { canonicalName, recordKey, sameRecord } from "./canonical.ts";
import type { RecordSet } from "./record-set.ts";

/** What a zone had when it was last read as a whole, with Gatewright's own changes since. */
export interface Reading {
  /** When the reading began, in wall-clock milliseconds. What others changed since may be missing. */
  readonly at: number;
  /** The set at a place; undefined: there was none. */
  record(name: string, type: string, setIdentifier?: string): RecordSet | undefined;
}

/** The sets of a zone by their places. */
export class ZoneReading implements Reading {
  readonly at: number;
  readonly #records = new Map<string, RecordSet>();

  constructor(at: number) {
    this.at = at;
  }

  record(name: string, type: string, setIdentifier?: string): RecordSet | undefined {
    return this.#records.get(recordKey({ name, type, ...(setIdentifier !== undefined && { setIdentifier }) }));
  }

  put(record: RecordSet): void {
    this.#records.set(recordKey(record), record);
  }

  /** Whether places are as wanted. */
  shows(wanted: ReadonlyMap<string, RecordSet | undefined>): boolean {
    for (const [key, record] of wanted) {
      const there = this.#records.get(key);
      if (record === undefined || there === undefined ? record !== there : !sameRecord(record, there)) return false;
    }
    return true;
  }

  /** Takes over what a change has made of places. */
  apply(wanted: ReadonlyMap<string, RecordSet | undefined>): void {
    for (const [key, record] of wanted) {
      if (record === undefined) this.#records.delete(key);
      else this.#records.set(key, { ...record, name: canonicalName(record.name) });
    }
  }
}
