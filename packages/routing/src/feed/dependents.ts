import type { SourceKey } from "../model/deliverable.ts";
import type { Dependency } from "./surroundings.ts";

/** Who looked at what. */
export class Dependents {
  readonly #of = new Map<Dependency, Set<SourceKey>>();
  readonly #seen = new Map<SourceKey, ReadonlySet<Dependency>>();

  /** Who is to look again when this changes. */
  on(dependency: Dependency): Iterable<SourceKey> {
    return this.#of.get(dependency) ?? [];
  }

  /** What one has looked at. */
  of(key: SourceKey): Iterable<Dependency> {
    return this.#seen.get(key) ?? [];
  }

  /** Who looked at anything of a kind. Costs what there is: for what seldom happens. */
  ofKind(kind: string): ReadonlySet<SourceKey> {
    const found = new Set<SourceKey>();
    for (const [dependency, keys] of this.#of) {
      if (dependency.startsWith(`${kind} `)) for (const key of keys) found.add(key);
    }
    return found;
  }

  /** Makes this all that one has looked at. Returns what nobody looks at any more. */
  set(key: SourceKey, seen: ReadonlySet<Dependency>): readonly Dependency[] {
    const before = this.#seen.get(key) ?? new Set();
    for (const dependency of seen) {
      if (before.has(dependency)) continue;
      const others = this.#of.get(dependency);
      if (others === undefined) this.#of.set(dependency, new Set([key]));
      else others.add(key);
    }
    if (seen.size === 0) this.#seen.delete(key);
    else this.#seen.set(key, seen);
    const left: Dependency[] = [];
    for (const dependency of before) {
      if (seen.has(dependency)) continue;
      const others = this.#of.get(dependency);
      others?.delete(key);
      if (others?.size !== 0) continue;
      this.#of.delete(dependency);
      left.push(dependency);
    }
    return left;
  }
}
