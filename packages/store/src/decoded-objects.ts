import type { Entry } from "./store.ts";

/** Encoded size of one generation. Decoded, objects cost five to seven times as much. */
const GENERATION_BYTES = 2 * 1024 * 1024;

/**
 * Decoded forms of the entries that were used last, frozen, since all readers share them. When the younger of two
 * generations is full, the older one is forgotten: what was not used meanwhile goes with it.
 */
export class DecodedObjects<T> {
  #young = new Map<Entry, T>();
  #old = new Map<Entry, T>();
  #bytes = 0;
  readonly #given: ReadonlyMap<Entry, T>;

  /** `given` is frozen already, and never forgotten. */
  constructor(given: ReadonlyMap<Entry, T> = new Map()) {
    this.#given = given;
  }

  /** Keeps an object that is decoded already, and freezes it. */
  add(entry: Entry, object: T): void {
    this.#keep(entry, deepFreeze(object));
  }

  get(entry: Entry): T {
    const young = this.#young.get(entry) ?? this.#given.get(entry);
    if (young !== undefined) return young;
    const object = this.#old.get(entry) ?? deepFreeze(JSON.parse(entry.bytes.toString()) as T);
    this.#keep(entry, object);
    return object;
  }

  /** As {@link get}, and what was not kept already is neither kept nor frozen. */
  peek(entry: Entry): T {
    return (
      this.#young.get(entry) ??
      this.#old.get(entry) ??
      this.#given.get(entry) ??
      (JSON.parse(entry.bytes.toString()) as T)
    );
  }

  #keep(entry: Entry, object: T): void {
    if (this.#bytes + entry.bytes.length > GENERATION_BYTES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(entry, object);
    this.#bytes += entry.bytes.length;
  }
}

/** Freezes a value and everything below it, so that it can be shared. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
