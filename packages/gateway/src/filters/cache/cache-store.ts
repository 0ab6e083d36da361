import type { Fields } from "../../exchange/fields.ts";

/** An answer that is kept. Nobody changes it: who gives it to a client copies the fields. */
export interface CacheEntry {
  readonly status: number;
  readonly fields: Fields;
  readonly bytes: Buffer;
  /** `clock.monotonic()` when it came. */
  readonly storedAt: number;
  /** How old it already was, in milliseconds. */
  readonly ageMs: number;
  /** Until when it is fresh, and until when it may be given while a new one is fetched. */
  readonly freshUntil: number;
  readonly staleUntil: number;
  /** Whether it may be given to requests with credentials that are not part of the key. */
  readonly shared: boolean;
}

interface Item {
  /** The request fields that tell its variants apart. */
  readonly names: readonly string[];
  readonly variants: Map<string, CacheEntry>;
  bytes: number;
  /** Until when requests for this are not held up for one another, since nothing can be kept. */
  passUntil: number;
}

/** How many variants one key may have: `vary` on something that every client has its own value of must not fill the store. */
const MAX_VARIANTS = 32;
const OVERHEAD = 256;

/** Answers in memory, bounded in number and in bytes. What was not asked for the longest goes first. */
export class CacheStore {
  readonly #items = new Map<string, Item>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  #entries = 0;
  #bytes = 0;

  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  get entries(): number {
    return this.#entries;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What is kept for a request with these fields; `pass` when it is known that nothing can be. */
  get(key: string, request: Fields, now: number): CacheEntry | "pass" | undefined {
    const item = this.#items.get(key);
    if (item === undefined) return undefined;
    const variant = variantOf(item.names, request);
    const entry = item.variants.get(variant);
    if (entry === undefined) return now < item.passUntil ? "pass" : undefined;
    if (now >= entry.staleUntil) {
      this.#drop(key, item, variant, entry);
      return undefined;
    }
    this.#items.delete(key);
    this.#items.set(key, item);
    return entry;
  }

  /** Keeps an answer. `names` are the fields that it says it depends on; other than before, and older variants go. */
  put(key: string, request: Fields, names: readonly string[], entry: CacheEntry): void {
    const size = sizeOf(key, entry);
    if (size > this.#maxBytes) return;
    let item = this.#items.get(key);
    if (item !== undefined && item.names.join() !== names.join()) {
      this.#remove(key, item);
      item = undefined;
    }
    item ??= { names, variants: new Map(), bytes: 0, passUntil: 0 };
    const variant = variantOf(names, request);
    const before = item.variants.get(variant);
    if (before !== undefined) this.#drop(key, item, variant, before);
    else if (item.variants.size === MAX_VARIANTS) {
      const [oldest] = item.variants;
      if (oldest !== undefined) this.#drop(key, item, oldest[0], oldest[1]);
    }
    this.#items.delete(key);
    this.#items.set(key, item);
    item.variants.set(variant, entry);
    item.bytes += size;
    this.#bytes += size;
    this.#entries++;
    this.#makeRoom();
  }

  /** Nothing can be kept for this key for a while; what was kept for such a request no longer holds. */
  pass(key: string, request: Fields, until: number): void {
    this.drop(key, request);
    const item = this.#items.get(key) ?? { names: [], variants: new Map(), bytes: OVERHEAD + key.length, passUntil: 0 };
    if (!this.#items.has(key)) {
      this.#items.set(key, item);
      this.#bytes += item.bytes;
    }
    item.passUntil = until;
    this.#makeRoom();
  }

  /** Forgets what is kept for such a request. */
  drop(key: string, request: Fields): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    const variant = variantOf(item.names, request);
    const entry = item.variants.get(variant);
    if (entry !== undefined) this.#drop(key, item, variant, entry);
  }

  /** Forgets every variant of a key. */
  dropAll(key: string): void {
    const item = this.#items.get(key);
    if (item !== undefined) this.#remove(key, item);
  }

  #drop(key: string, item: Item, variant: string, entry: CacheEntry): void {
    const size = sizeOf(key, entry);
    item.variants.delete(variant);
    item.bytes -= size;
    this.#bytes -= size;
    this.#entries--;
    if (item.variants.size === 0) this.#remove(key, item);
  }

  #remove(key: string, item: Item): void {
    if (!this.#items.delete(key)) return;
    this.#bytes -= item.bytes;
    this.#entries -= item.variants.size;
    item.bytes = 0;
  }

  #makeRoom(): void {
    for (const [key, item] of this.#items) {
      if (this.#bytes <= this.#maxBytes && this.#items.size <= this.#maxEntries && this.#entries <= this.#maxEntries)
        return;
      this.#remove(key, item);
    }
  }
}

function variantOf(names: readonly string[], request: Fields): string {
  if (names.length === 0) return "";
  return JSON.stringify(names.map((name) => request.all(name).join(",").replace(/\s+/g, "")));
}

function sizeOf(key: string, entry: CacheEntry): number {
  let size = OVERHEAD + key.length + entry.bytes.length;
  for (const text of entry.fields.flat) size += text.length;
  return size;
}
