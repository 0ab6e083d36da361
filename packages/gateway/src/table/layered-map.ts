/** Below this a map is copied whole: cheaper than looking twice. */
const SMALL = 32;

/**
 * A map for values that are changed by making the next one. Who changes it gives a token of its own (`owner`): what was made under
 * that token is changed in place, anything else is left as it is for those who hold it. A change of a large map costs about the
 * square root of its size, because changes are kept in a layer above the shared base until there are too many of them.
 */
export class LayeredMap<V extends object> {
  #base: Map<string, V>;
  /** Undefined as a value: removed from the base. */
  #changes: Map<string, V | undefined> | undefined;
  #ownsBase: boolean;
  readonly #owner: object;
  #size: number;

  private constructor(owner: object, base: Map<string, V>, ownsBase: boolean, size: number) {
    this.#owner = owner;
    this.#base = base;
    this.#ownsBase = ownsBase;
    this.#size = size;
  }

  static empty<V extends object>(owner: object): LayeredMap<V> {
    return new LayeredMap<V>(owner, new Map(), true, 0);
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const changes = this.#changes;
    if (changes !== undefined) {
      const changed = changes.get(key);
      if (changed !== undefined || changes.has(key)) return changed;
    }
    return this.#base.get(key);
  }

  *values(): Generator<V> {
    for (const [key, value] of this.#base) if (!(this.#changes?.has(key) ?? false)) yield value;
    for (const value of this.#changes?.values() ?? []) if (value !== undefined) yield value;
  }

  /** A map with this value; undefined removes. This one, if `owner` made it. */
  set(key: string, value: V | undefined, owner: object): LayeredMap<V> {
    const map = this.#owner === owner ? this : this.#successor(owner);
    map.#write(key, value);
    return map;
  }

  #successor(owner: object): LayeredMap<V> {
    if (this.#base.size <= SMALL || this.#isHeavy()) return new LayeredMap(owner, this.#merged(), true, this.#size);
    const next = new LayeredMap(owner, this.#base, false, this.#size);
    if (this.#changes !== undefined) next.#changes = new Map(this.#changes);
    return next;
  }

  #write(key: string, value: V | undefined): void {
    this.#size += Number(value !== undefined) - Number(this.get(key) !== undefined);
    if (!this.#ownsBase && this.#isHeavy()) {
      this.#base = this.#merged();
      this.#changes = undefined;
      this.#ownsBase = true;
    }
    if (!this.#ownsBase) (this.#changes ??= new Map()).set(key, value);
    else if (value === undefined) this.#base.delete(key);
    else this.#base.set(key, value);
  }

  #isHeavy(): boolean {
    const changed = this.#changes?.size ?? 0;
    return changed > SMALL && changed * changed > this.#base.size;
  }

  #merged(): Map<string, V> {
    const merged = new Map(this.#base);
    for (const [key, value] of this.#changes ?? []) {
      if (value === undefined) merged.delete(key);
      else merged.set(key, value);
    }
    return merged;
  }
}
