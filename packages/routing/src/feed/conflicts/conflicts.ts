import type { SourceKey } from "../../model/deliverable.ts";
import type { Claim } from "./claim.ts";
import { collide } from "./claim.ts";

/** One who wants something. */
export interface Contender {
  readonly id: SourceKey;
  /** RFC 3339, as the API server writes it. */
  readonly createdAt: string;
  /** What it wants most, and what it is content with otherwise. Of each all or nothing. */
  readonly wishes: readonly (readonly Claim[])[];
}

/** Who has what somebody else wants. */
export interface Rival {
  readonly id: SourceKey;
  readonly claim: Claim;
}

/** `GET /orders of shop.example.com is APIRoute shop/orders's`: what people read, in status and in refusals. */
export function rivalText({ id, claim }: Rival): string {
  return `${claim.text} is ${id}'s`;
}

/** What a contender got. */
export interface Ruling {
  /** Which of its wishes; undefined: none. */
  readonly granted: number | undefined;
  /** Who stands in the way of its first wish. */
  readonly rival: Rival | undefined;
}

interface Entry extends Contender {
  ruling: Ruling;
}

const NOTHING: Ruling = { granted: undefined, rival: undefined };

/**
 * Who has what. The older has it, by name among those of the same second; who loses gets it when the other goes. A change costs what
 * it touches: claims are looked up, never compared with all others.
 */
export class Conflicts {
  readonly #entries = new Map<SourceKey, Entry>();
  /** All who wish something, by any of their wishes. */
  readonly #wishing = new Map<string, Set<Entry>>();

  /** Says what a contender wants now. Returns all whose ruling has changed, and the contender itself. */
  set(contender: Contender): ReadonlyMap<SourceKey, Ruling> {
    const before = this.#entries.get(contender.id);
    const entry: Entry = { ...contender, ruling: NOTHING };
    const touched = new Set<Entry>([entry]);
    if (before !== undefined) this.#forget(before, touched);
    this.#entries.set(entry.id, entry);
    for (const key of keysOf(entry)) {
      const wishing = this.#wishing.get(key);
      if (wishing === undefined) this.#wishing.set(key, new Set([entry]));
      else wishing.add(entry);
    }
    const changed = new Map(this.#settle(touched));
    return changed.set(entry.id, entry.ruling);
  }

  /** A contender wants nothing any more. Returns all whose ruling has changed by that. */
  remove(id: SourceKey): ReadonlyMap<SourceKey, Ruling> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return new Map();
    const touched = new Set<Entry>();
    this.#forget(entry, touched);
    this.#entries.delete(id);
    return this.#settle(touched);
  }

  ruling(id: SourceKey): Ruling | undefined {
    return this.#entries.get(id)?.ruling;
  }

  /** The oldest other one whose first wish is for one of these, whether it got it or not. */
  wanting(claims: readonly Claim[], except: SourceKey): Rival | undefined {
    let oldest: { readonly entry: Entry; readonly claim: Claim } | undefined;
    for (const claim of claims) {
      for (const entry of this.#wishing.get(claim.key) ?? []) {
        if (entry.id === except || (oldest !== undefined && !isOlder(entry, oldest.entry))) continue;
        const other = entry.wishes[0]?.find(({ key }) => key === claim.key);
        if (other !== undefined && collide(claim, other)) oldest = { entry, claim };
      }
    }
    return oldest && { id: oldest.entry.id, claim: oldest.claim };
  }

  #forget(entry: Entry, touched: Set<Entry>): void {
    for (const key of keysOf(entry)) {
      const wishing = this.#wishing.get(key);
      wishing?.delete(entry);
      if (wishing?.size === 0) this.#wishing.delete(key);
      for (const other of wishing ?? []) if (isOlder(entry, other)) touched.add(other);
    }
  }

  /** Oldest first: what one gets depends on older ones alone, so each is looked at once. */
  #settle(touched: Set<Entry>): Map<SourceKey, Ruling> {
    const changed = new Map<SourceKey, Ruling>();
    while (touched.size > 0) {
      let entry: Entry | undefined;
      for (const one of touched) if (entry === undefined || isOlder(one, entry)) entry = one;
      if (entry === undefined) break;
      touched.delete(entry);
      const before = entry.ruling;
      entry.ruling = this.#judge(entry);
      if (before.granted === entry.ruling.granted && before.rival?.id === entry.ruling.rival?.id) continue;
      changed.set(entry.id, entry.ruling);
      if (before.granted === entry.ruling.granted) continue;
      for (const key of keysOf(entry)) {
        for (const other of this.#wishing.get(key) ?? []) if (isOlder(entry, other)) touched.add(other);
      }
    }
    return changed;
  }

  #judge(entry: Entry): Ruling {
    let rival: Rival | undefined;
    for (const [at, wish] of entry.wishes.entries()) {
      const found = this.#rivalOf(entry, wish);
      if (at === 0) rival = found;
      if (found === undefined) return { granted: at, rival };
    }
    return { granted: undefined, rival };
  }

  #rivalOf(entry: Entry, wish: readonly Claim[]): Rival | undefined {
    for (const claim of wish) {
      for (const other of this.#wishing.get(claim.key) ?? []) {
        if (other === entry || !isOlder(other, entry) || other.ruling.granted === undefined) continue;
        const held = other.wishes[other.ruling.granted]?.find(({ key }) => key === claim.key);
        if (held !== undefined && collide(claim, held)) return { id: other.id, claim };
      }
    }
    return undefined;
  }
}

function keysOf({ wishes }: Contender): ReadonlySet<string> {
  return new Set(wishes.flatMap((wish) => wish.map(({ key }) => key)));
}

function isOlder(one: Contender, other: Contender): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  const [a, b] = [nameOf(one.id), nameOf(other.id)];
  return a === b ? one.id < other.id : a < b;
}

function nameOf(id: SourceKey): string {
  return id.slice(id.indexOf(" ") + 1);
}
