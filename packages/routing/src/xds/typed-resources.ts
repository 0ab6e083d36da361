import type { Resource } from "./resource.ts";

/** A name that is known: of a resource that is there, was there, or that a client waits for. */
export interface Entry {
  readonly id: number;
  readonly name: string;
  /** Undefined: it is not there. */
  readonly resource: Resource | undefined;
  /** What was there before it went: clients keep it until nothing refers to it. */
  readonly last: Resource | undefined;
  /** The generation of the newest change; 0: it never was there. */
  readonly changedAt: number;
}

/** Clients may wait for so many names that do not exist before the next one is refused. */
const MOST_UNKNOWN = 100_000;
/** So many that went are remembered for clients that are behind. */
const MOST_GONE = 20_000;

/**
 * The resources of one type, with the generation of every change: who has seen all up to one is told by that number alone. Names have
 * small numbers for as long as the process lives.
 */
export class TypedResources {
  readonly #ids = new Map<string, number>();
  readonly #entries: Entry[] = [];
  #log: { readonly id: number; readonly at: number }[] = [];
  #live = 0;
  #digest = 0n;
  /** Changes up to here were forgotten where they are not the newest, and what went with them. */
  #floor = 0;

  /** How many there are. */
  get size(): number {
    return this.#live;
  }

  /** Of all there is together: equal content gives the same text. */
  get version(): string {
    return this.#digest.toString(36);
  }

  /** The number of a name; undefined: too many are known already. */
  idOf(name: string): number | undefined {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    if (this.#entries.length - this.#live > MOST_UNKNOWN) return undefined;
    const id = this.#entries.length;
    this.#ids.set(name, id);
    this.#entries.push({ id, name, resource: undefined, last: undefined, changedAt: 0 });
    return id;
  }

  at(id: number): Entry | undefined {
    return this.#entries[id];
  }

  get(name: string): Resource | undefined {
    const id = this.#ids.get(name);
    return id === undefined ? undefined : this.#entries[id]?.resource;
  }

  /** Those that are there. */
  *live(): Generator<Entry> {
    for (const entry of this.#entries) if (entry.resource !== undefined) yield entry;
  }

  /** Puts a resource in place of the one of that name. The same content is no change, unless it has to be sent again. */
  set(resource: Resource, generation: number, again = false): boolean {
    const id = this.idOf(resource.name) ?? this.#entries.length;
    const before = this.#entries[id];
    if (before?.resource?.version === resource.version && !again) return false;
    this.#digest ^= digestOf(before?.resource) ^ digestOf(resource);
    if (before?.resource === undefined) this.#live++;
    this.#change({ id, name: resource.name, resource, last: undefined, changedAt: generation });
    return true;
  }

  remove(name: string, generation: number): boolean {
    const id = this.#ids.get(name);
    const before = id === undefined ? undefined : this.#entries[id];
    if (before?.resource === undefined) return false;
    this.#digest ^= digestOf(before.resource);
    this.#live--;
    this.#change({ ...before, resource: undefined, last: before.resource, changedAt: generation });
    return true;
  }

  /** What changed after a generation, each once, oldest change first; undefined: that is too long ago to know. */
  since(generation: number): readonly Entry[] | undefined {
    if (generation < this.#floor) return undefined;
    const changed: Entry[] = [];
    for (let at = this.#firstAfter(generation); at < this.#log.length; at++) {
      const { id, at: changedAt } = this.#log[at]!;
      const entry = this.#entries[id];
      if (entry?.changedAt === changedAt) changed.push(entry);
    }
    return changed;
  }

  #change(entry: Entry): void {
    const before = this.#entries[entry.id];
    this.#ids.set(entry.name, entry.id);
    this.#entries[entry.id] = entry;
    // A second change of one generation is in the log already.
    if (before?.changedAt === entry.changedAt) return;
    this.#log.push({ id: entry.id, at: entry.changedAt });
    if (this.#log.length > 2 * this.#live + MOST_GONE) this.#compact();
  }

  /** Keeps the newest change of what is there, and the younger half of those that went. */
  #compact(): void {
    const floor = this.#log[this.#log.length >> 1]?.at ?? 0;
    this.#log = this.#log.filter(({ id, at }) => {
      const entry = this.#entries[id];
      if (entry?.changedAt !== at) return false;
      if (entry.resource !== undefined || at > floor) return true;
      this.#entries[id] = { ...entry, last: undefined };
      return false;
    });
    this.#floor = floor;
  }

  #firstAfter(generation: number): number {
    let [low, high] = [0, this.#log.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#log[middle]!.at <= generation) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Of name and content; those of several are combined whatever their order. */
function digestOf(resource: Resource | undefined): bigint {
  if (resource === undefined) return 0n;
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (const text of [resource.name, " ", resource.version])
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
      two = Math.imul(two ^ text.charCodeAt(at), 0x85ebca6b) + one;
    }
  return (BigInt(one >>> 0) << 32n) | BigInt(two >>> 0);
}
