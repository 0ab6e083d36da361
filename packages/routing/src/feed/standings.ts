import type { DeliverableKey, SourceKey, SourceRef } from "../model/deliverable.ts";
import { deliverableKey, sourceKey } from "../model/deliverable.ts";
import type { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { Conflicts } from "./conflicts/conflicts.ts";
import type { Ruling } from "./conflicts/conflicts.ts";
import { serviceBackendName } from "./draft.ts";
import type { Candidate, Prepared, Source } from "./prepared-source.ts";
import type { Problem } from "./problem.ts";
import type { ServiceBackends } from "./service-backends.ts";
import type { SourceReport } from "./source-report.ts";

interface Entry {
  readonly ref: SourceRef;
  readonly createdAt: string;
  generation: number;
  problems: readonly Problem[];
  waiting: boolean;
  /** What it may be delivered as: its newest self, and what served before. In the order of its wishes. */
  candidates: readonly Candidate[];
  serving: Candidate | undefined;
}

/**
 * What an object falls back to while it is wrong: something that was good of it, prepared now; what serves, as it is; or nothing, since it
 * may not lead there any more.
 */
export type Fallback = Candidate | "as it serves" | "nothing";

/** How every object stands: what it wants to be, what it may be, what is delivered for it. Keeps the catalogue to it. */
export class Standings {
  readonly #catalogue: MutableCatalogue;
  readonly #services: ServiceBackends;
  readonly #entries = new Map<SourceKey, Entry>();
  readonly conflicts = new Conflicts();
  #waiting = 0;

  constructor(catalogue: MutableCatalogue, services: ServiceBackends) {
    this.#catalogue = catalogue;
    this.#services = services;
  }

  /** How many objects wait for something that they refer to. */
  get waiting(): number {
    return this.#waiting;
  }

  *sources(): Iterable<SourceRef> {
    for (const { ref } of this.#entries.values()) yield ref;
  }

  report(key: SourceKey): SourceReport | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { ref, generation, problems, waiting, serving } = entry;
    return {
      source: ref,
      generation,
      problems,
      waiting,
      rival: this.conflicts.ruling(key)?.rival,
      serving: serving?.generation,
      deliverables: serving?.deliverables.map(deliverableKey) ?? [],
      services: serviceKeys(serving),
    };
  }

  /** An object is as it was prepared now. Returns all whose report may have changed. */
  set(
    source: Source,
    { candidate, problems, waiting }: Prepared,
    fallback: Fallback = "as it serves",
  ): ReadonlySet<SourceKey> {
    const key = sourceKey(source.ref);
    const before = this.#entries.get(key);
    const replaced = before !== undefined && before.createdAt !== source.createdAt;
    const serving = replaced ? undefined : fallenBack(before?.serving, fallback);
    const entry: Entry = {
      ref: source.ref,
      createdAt: source.createdAt,
      generation: source.generation,
      problems,
      waiting,
      candidates: [candidate, serving].filter((one) => one !== undefined),
      serving: before?.serving,
    };
    this.#waiting += Number(waiting) - Number(before?.waiting ?? false);
    this.#entries.set(key, entry);
    const changed = this.#rule(this.#contend(entry));
    // What it was before is no longer what it falls back to.
    if (candidate !== undefined && entry.serving === candidate && entry.candidates.length > 1) {
      entry.candidates = [candidate];
      this.#rule(this.#contend(entry));
    }
    this.#keepUnknown(entry, candidate !== undefined || fallback === "nothing");
    return changed.add(key);
  }

  /**
   * Of an object that never was good here gateways keep what they have; one that is good and is not delivered has lost to others, and one
   * that may not lead where it does is not kept.
   */
  #keepUnknown({ ref, serving }: Entry, isDecided: boolean): void {
    if (serving !== undefined) return;
    if (isDecided) this.#catalogue.remove(ref);
    else this.#catalogue.keep(ref);
  }

  /** An object is gone. */
  remove(key: SourceKey): ReadonlySet<SourceKey> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return new Set();
    this.#waiting -= Number(entry.waiting);
    this.#deliver(key, entry, undefined);
    this.#entries.delete(key);
    this.#catalogue.remove(entry.ref);
    return this.#rule(this.conflicts.remove(key)).add(key);
  }

  #contend({ ref, createdAt, candidates }: Entry): ReadonlyMap<SourceKey, Ruling> {
    return this.conflicts.set({ id: sourceKey(ref), createdAt, wishes: candidates.map(({ claims }) => claims) });
  }

  /** What was taken from one goes before another gets it. */
  #rule(rulings: ReadonlyMap<SourceKey, Ruling>): Set<SourceKey> {
    const granted = [...rulings].toSorted(
      ([, a], [, b]) => Number(a.granted !== undefined) - Number(b.granted !== undefined),
    );
    for (const [key, ruling] of granted) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#deliver(key, entry, entry.candidates[ruling.granted ?? -1]);
    }
    return new Set(rulings.keys());
  }

  #deliver(key: SourceKey, entry: Entry, candidate: Candidate | undefined): void {
    const before = entry.serving;
    if (before === candidate) return;
    const still = new Set(this.#services.hold(key, candidate?.uses ?? []));
    entry.serving = candidate;
    this.#catalogue.put(entry.ref, candidate?.deliverables ?? []);
    this.#services.release(key, before?.uses ?? [], still);
  }
}

function fallenBack(serving: Candidate | undefined, fallback: Fallback): Candidate | undefined {
  if (serving === undefined || fallback === "nothing") return undefined;
  return fallback === "as it serves" ? serving : fallback;
}

function serviceKeys(candidate: Candidate | undefined): readonly DeliverableKey[] {
  const keys = candidate?.uses.map((use) => deliverableKey({ ...use, name: serviceBackendName(use) }));
  return [...new Set(keys)];
}
