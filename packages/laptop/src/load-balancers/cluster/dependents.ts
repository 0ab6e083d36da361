import { keyOf, refOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import { watching } from "@gatewright/runtime";
import type { CacheReader, IndexFunction, Predicate, Watch } from "@gatewright/runtime";

type Cached = <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>;

/** Reads of the cache that remember who asked for what, found or not. */
export interface TrackedReads {
  get<T extends ApiObject>(resource: Resource<T>, ref: ObjectRef): Immutable<T> | undefined;
  byIndex<T extends ApiObject>(resource: Resource<T>, index: string, value: string): readonly Immutable<T>[];
}

export interface WatchedKind<T extends ApiObject> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  readonly when?: Predicate<T>;
}

/**
 * Knows which objects of a controller looked at which others, so that a change leads to those alone. Reading and noting happen
 * without a pause, so no change falls in between. Forgotten with the process: a new one looks at everything anew.
 */
export class Dependents {
  readonly #readers = new Map<string, Set<ObjectKey>>();
  readonly #read = new Map<ObjectKey, Set<string>>();

  /** Reads for one look at an object. What it had read before is forgotten. */
  reads(reader: ObjectKey, cached: Cached): TrackedReads {
    this.forget(reader);
    const noted = new Set<string>();
    this.#read.set(reader, noted);
    const note = (dependency: string): void => {
      noted.add(dependency);
      const readers = this.#readers.get(dependency) ?? new Set();
      this.#readers.set(dependency, readers.add(reader));
    };
    return {
      get(resource, ref) {
        note(`${resource.kind} ${keyOf(ref)}`);
        return cached(resource).get(ref);
      },
      byIndex(resource, index, value) {
        note(`${resource.kind} ${index}=${value}`);
        return cached(resource).byIndex(index, value);
      },
    };
  }

  forget(reader: ObjectKey): void {
    for (const dependency of this.#read.get(reader) ?? []) {
      const readers = this.#readers.get(dependency);
      readers?.delete(reader);
      if (readers?.size === 0) this.#readers.delete(dependency);
    }
    this.#read.delete(reader);
  }

  /** A watch whose changes lead to those who looked. */
  watch<T extends ApiObject>(resource: Resource<T>, { indexes = {}, when }: WatchedKind<T> = {}): Watch {
    return watching(resource, {
      indexes,
      ...(when && { when }),
      map: (object) => {
        const readers = new Set<ObjectKey>();
        const add = (dependency: string): void => {
          for (const reader of this.#readers.get(dependency) ?? []) readers.add(reader);
        };
        add(`${resource.kind} ${keyOf(object)}`);
        for (const [name, index] of Object.entries(indexes)) {
          for (const value of index(object)) add(`${resource.kind} ${name}=${value}`);
        }
        return [...readers].map(refOf);
      },
    });
  }
}
