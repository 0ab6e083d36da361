/** Indexes as a status tells them, in order: `0,2-5,7`. Those that are not below `completions`, and what cannot be read, are left out. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined) continue;
    const end = Math.min(Number(last), completions - 1);
    for (let index = Number(first); index <= end; index++) indexes.add(index);
  }
  return indexes;
}

/** Three and more in a row are told by the first and the last. */
export function formatIndexes(indexes: Iterable<number>): string {
  const runs: { first: number; last: number }[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`))
    .join(",");
}
