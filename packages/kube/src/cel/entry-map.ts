import { CelError, CelUint } from "./value.ts";
import type { CelMap, CelValue } from "./value.ts";

type Key = string | boolean | bigint | number;

/** A map that an expression built. Numbers that are equal are the same key, whatever their type. */
export class EntryMap implements CelMap {
  readonly kind = "map";
  readonly #entries = new Map<Key, { key: CelValue; value: CelValue }>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const known = keyOf(key);
    return known === undefined ? undefined : this.#entries.get(known)?.value;
  }

  *keys(): Iterable<CelValue> {
    for (const entry of this.#entries.values()) yield entry.key;
  }

  /** Sets an entry while the map is being built. */
  set(key: CelValue, value: CelValue): void {
    const known = keyOf(key);
    if (known === undefined) throw new CelError("unsupported key type");
    this.#entries.set(known, { key, value });
  }
}

/** The map that a comprehension builds. Only its accumulator holds it, so inserting in place is not seen by anyone. */
export class GrowingMap extends EntryMap {}

function keyOf(key: CelValue): Key | undefined {
  switch (typeof key) {
    case "string":
    case "boolean":
    case "bigint":
      return key;
    case "number":
      return Number.isInteger(key) ? BigInt(key) : key;
    default:
      return key instanceof CelUint ? key.value : undefined;
  }
}
