/** Something that is planned, and what has to be there before it. */
export interface Ordered {
  readonly key: string;
  readonly needs: readonly string[];
}

/**
 * The same things in an order in which each comes after what it needs; otherwise as they were given. What is needed and not among them
 * is left aside. Things that need each other in a circle keep the order in which they were given.
 */
export function inOrderOfNeed<T extends Ordered>(things: readonly T[]): readonly T[] {
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const placed = new Set<string>();
  const ordered: T[] = [];
  const place = (thing: T, above: ReadonlySet<string>): void => {
    if (placed.has(thing.key) || above.has(thing.key)) return;
    const below = new Set(above).add(thing.key);
    for (const need of thing.needs) {
      const needed = byKey.get(need);
      if (needed !== undefined) place(needed, below);
    }
    if (placed.has(thing.key)) return;
    placed.add(thing.key);
    ordered.push(thing);
  };
  for (const thing of things) place(thing, new Set());
  return ordered;
}
