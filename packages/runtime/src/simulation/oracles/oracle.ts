import type { History } from "../history.ts";

/** A promise that a run did not keep. */
export interface Violation {
  /** Which oracle says so. */
  readonly oracle: string;
  /** What happened, to which object, when. */
  readonly what: string;
}

/** What the run without faults was like. */
export type Reference = Pick<History, "endState" | "changes" | "effects">;

/** Judges a whole run by its history and by the run without faults. Pure. */
export interface Oracle {
  readonly name: string;
  /** The promise. */
  readonly about: string;
  judge(history: History, reference: Reference): readonly string[];
}

/** A time of the world, for people. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}
