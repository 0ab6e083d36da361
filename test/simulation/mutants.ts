/** A bug to plant: a piece of source that occurs once, and what takes its place. Nothing of it is in the product. */
export interface Mutant {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** What goes wrong with it. */
  readonly about: string;
  /** Where it shows. */
  readonly scenario: string;
}

/** Bugs that simulation must find. */
export const MUTANTS: readonly Mutant[] = [];
