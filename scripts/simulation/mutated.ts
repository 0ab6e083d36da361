import type { Mutant } from "../../test/simulation/mutants.ts";

/** The source with the bug in it. Throws unless the place is there exactly once. */
export function mutated({ name, file, find, replace }: Mutant, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`mutant ${name}: its place occurs ${parts.length - 1} times in ${file}`);
  return parts.join(replace);
}
