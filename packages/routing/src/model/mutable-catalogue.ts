import type { Catalogue, Change } from "./catalogue.ts";
import { ChangeLog } from "./change-log.ts";
import type { Deliverable, DeliverableKey, SourceKey, SourceRef } from "./deliverable.ts";
import { deliverableKey, sourceKey } from "./deliverable.ts";
import { UnknownSources } from "./unknown-sources.ts";

/**
 * The catalogue, for who fills it. Several sources may give the same key (two routes to one Service): it is there while one of them
 * does, as the first of them by name gives it.
 */
export class MutableCatalogue implements Catalogue {
  readonly #log: ChangeLog;
  readonly #current = new Map<DeliverableKey, Deliverable>();
  readonly #bySource = new Map<SourceKey, ReadonlyMap<DeliverableKey, Deliverable>>();
  readonly #givenBy = new Map<DeliverableKey, readonly SourceKey[]>();
  readonly #unknown = new UnknownSources();
  readonly #listeners = new Set<() => void>();
  readonly #needs = new Set<() => number>();
  #revision = 0;
  #complete = false;

  /** `mostOldChanges`: how many past changes are kept for who is behind, whoever needs them. Default: 20,000. */
  constructor({ mostOldChanges }: { readonly mostOldChanges?: number } = {}) {
    this.#log = new ChangeLog(mostOldChanges);
  }

  get revision(): number {
    return this.#revision;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** How many deliverables there are. */
  get size(): number {
    return this.#current.size;
  }

  get(key: DeliverableKey): { readonly deliverable: Deliverable; readonly revision: number } | undefined {
    const deliverable = this.#current.get(key);
    return deliverable && { deliverable, revision: this.#log.revisionOf(key) };
  }

  all(): Iterable<Deliverable> {
    return this.#current.values();
  }

  of(source: SourceKey): readonly Deliverable[] {
    return [...(this.#bySource.get(source)?.values() ?? [])];
  }

  keeps(key: DeliverableKey): boolean {
    return this.#unknown.keeps(key);
  }

  since(revision: number): readonly Change[] | undefined {
    return this.#log.since(revision);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Past changes after this revision are kept, as far as there is room. Asked now and then. */
  keepSince(needed: () => number): () => void {
    this.#needs.add(needed);
    return () => void this.#needs.delete(needed);
  }

  /** Makes these all that comes from a source. Those that have not changed get no new revision. */
  put(source: SourceRef, deliverables: readonly Deliverable[]): void {
    const key = sourceKey(source);
    const before = this.#bySource.get(key);
    const after = new Map(deliverables.map((deliverable) => [deliverableKey(deliverable), deliverable]));
    if (after.size === 0) this.#bySource.delete(key);
    else this.#bySource.set(key, after);
    const began = this.#revision;
    for (const held of after.keys()) {
      if (before?.has(held) !== true) this.#claim(held, key);
      this.#settle(held);
    }
    for (const held of before?.keys() ?? []) {
      if (after.has(held)) continue;
      this.#disclaim(held, key);
      this.#settle(held);
    }
    for (const left of this.#unknown.forget(source)) this.#takeAway(left);
    if (this.#revision === began) return;
    this.#log.trim(this.#needed());
    this.#tell();
  }

  /**
   * A source is there and nothing can be made of it, nor is it known what was good of it: what gateways have of it they keep, until
   * the source is put or removed.
   */
  keep(source: SourceRef): void {
    if (!this.#bySource.has(sourceKey(source))) this.#unknown.add(source);
  }

  /** A source is gone, and what came from it. */
  remove(source: SourceRef): void {
    this.put(source, []);
  }

  /** All that was there at the start is in. */
  completed(): void {
    if (this.#complete) return;
    this.#complete = true;
    this.#tell();
  }

  #claim(key: DeliverableKey, source: SourceKey): void {
    const others = this.#givenBy.get(key);
    this.#givenBy.set(key, others === undefined ? [source] : [...others, source].toSorted());
  }

  #disclaim(key: DeliverableKey, source: SourceKey): void {
    const others = (this.#givenBy.get(key) ?? []).filter((other) => other !== source);
    if (others.length === 0) this.#givenBy.delete(key);
    else this.#givenBy.set(key, others);
  }

  /** Makes a key what the first of its sources says, with a new revision if that is something else. */
  #settle(key: DeliverableKey): void {
    const [first] = this.#givenBy.get(key) ?? [];
    const deliverable = first === undefined ? undefined : this.#bySource.get(first)?.get(key);
    const previous = this.#current.get(key);
    if (isSame(previous, deliverable)) return;
    if (deliverable === undefined) this.#current.delete(key);
    else this.#current.set(key, deliverable);
    this.#revision++;
    this.#log.append({ key, revision: this.#revision, deliverable, previous });
  }

  /** Gateways may have it, and nothing is known of it but its name. */
  #takeAway(gone: Deliverable): void {
    const key = deliverableKey(gone);
    if (this.#current.has(key)) return;
    this.#revision++;
    this.#log.append({ key, revision: this.#revision, deliverable: undefined, previous: gone });
  }

  #needed(): number {
    let least = this.#revision;
    for (const needed of this.#needs) least = Math.min(least, needed());
    return least;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: Deliverable | undefined, other: Deliverable | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.version === other.version &&
    sourceKey(one.source) === sourceKey(other.source) &&
    sameLabels(one.labels, other.labels)
  );
}

function sameLabels(one: Deliverable["labels"], other: Deliverable["labels"]): boolean {
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key]);
}
