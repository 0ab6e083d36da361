import type { Finding, GivenObject } from "../configuration/objects.ts";
import type { ConfigurationTarget, ObjectName } from "../configuration/target.ts";

/** The objects of one giver. */
export interface ObjectSet extends ConfigurationTarget {
  /** What is held, of each object the last version that was good. */
  good(): readonly GivenObject[];
}

interface Held {
  readonly given: GivenObject;
  readonly good: GivenObject | undefined;
}

/**
 * Several givers of objects, each with a set of its own: what one replaces or removes leaves the others' objects alone. Of objects with
 * the same kind and name, that of the giver who stands first counts; the other one's comes back when it goes.
 */
export class ObjectSets {
  readonly #target: Pick<ConfigurationTarget, "change">;
  readonly #givers: readonly string[];
  readonly #sets: readonly Map<string, Held>[];

  /** `givers`: as people call them, the one who counts first. */
  constructor(target: Pick<ConfigurationTarget, "change">, givers: readonly string[]) {
    this.#target = target;
    this.#givers = givers;
    this.#sets = givers.map(() => new Map());
  }

  /** The set of a giver. */
  of(giver: string): ObjectSet {
    const place = this.#givers.indexOf(giver);
    const own = this.#sets[place];
    if (own === undefined) throw new TypeError(`${giver} gives no objects here`);
    return {
      replace: (objects) => {
        const wanted = new Set(objects.map(keyOf));
        const removed = Array.from(own.values(), ({ given }) => given).filter((given) => !wanted.has(keyOf(given)));
        const changed = objects.filter((object) => own.get(keyOf(object))?.given !== object);
        return this.#change(place, own, changed, removed);
      },
      change: (set, removed) => this.#change(place, own, set, removed),
      held: () => Array.from(own.values(), ({ given }) => given),
      good: () => Array.from(own.values()).flatMap(({ good }) => good ?? []),
    };
  }

  /** Objects that do not count, because of others of the same name. */
  hidden(): readonly Finding[] {
    return this.#sets.flatMap((set, place) =>
      Array.from(set).flatMap(([key, { given }]) => {
        const counts = this.#placeOf(key);
        return counts === place ? [] : [this.#hiddenBy(given, counts)];
      }),
    );
  }

  #change(
    place: number,
    own: Map<string, Held>,
    set: readonly GivenObject[],
    removed: readonly ObjectName[],
  ): readonly Finding[] {
    const give: GivenObject[] = [];
    const take: ObjectName[] = [];
    const findings: Finding[] = [];
    for (const name of removed) {
      const key = keyOf(name);
      if (!own.delete(key)) continue;
      const next = this.#placeOf(key);
      if (next === -1) take.push(name);
      else if (next > place) give.push(...this.#givenAt(next, key));
    }
    for (const given of set) {
      const key = keyOf(given);
      own.set(key, { given, good: own.get(key)?.good });
      const counts = this.#placeOf(key);
      if (counts === place) give.push(given);
      else findings.push(this.#hiddenBy(given, counts));
    }
    const judged = this.#target.change(give, take);
    const refused = new Set(judged.flatMap((finding) => (finding.severity === "error" ? [keyOf(finding)] : [])));
    for (const given of set) if (!refused.has(keyOf(given))) own.set(keyOf(given), { given, good: given });
    return [...findings, ...judged];
  }

  #placeOf(key: string): number {
    return this.#sets.findIndex((set) => set.has(key));
  }

  #givenAt(place: number, key: string): GivenObject[] {
    const held = this.#sets[place]?.get(key);
    return held === undefined ? [] : [held.given];
  }

  #hiddenBy({ kind, namespace, name, version }: GivenObject, place: number): Finding {
    const message = `one of this name came by ${this.#givers[place]}, and that one counts`;
    return { kind, namespace, name, version, severity: "error", field: "metadata.name", message };
  }
}

/** `APIRoute shop/hello`. */
export function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}
