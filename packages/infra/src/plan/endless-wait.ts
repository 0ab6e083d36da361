/** Things that others wait for, by key. */
type Awaited = (key: string) => readonly string[];

/** Why what an object waits for is never there, if so: it waits for the object itself, or is stuck. */
export function endlessWait(key: string, awaited: Awaited, stuck: ReadonlySet<string>): string | undefined {
  const circle = circleOf(key, awaited);
  if (circle !== undefined) {
    const [, ...others] = [...circle, key];
    return `It would wait for ever: ${key} waits for ${others.join(", which waits for ")}. None is made before the other.`;
  }
  const first = awaited(key).find((one) => stuck.has(one));
  return first === undefined ? undefined : `It would wait for ${first}, which cannot be made as things are.`;
}

/**
 * The shortest way from a thing over those that it waits for back to itself, with the thing at its beginning alone; undefined where none
 * leads back.
 */
export function circleOf(key: string, awaited: Awaited): readonly string[] | undefined {
  const seen = new Set<string>();
  for (let ways: (readonly string[])[] = [[key]]; ways.length > 0;) {
    const longer: (readonly string[])[] = [];
    for (const way of ways) {
      for (const next of awaited(way.at(-1) ?? key)) {
        if (next === key) return way;
        if (!seen.has(next)) longer.push([...way, next]);
        seen.add(next);
      }
    }
    ways = longer;
  }
  return undefined;
}
