import type { Obstacle } from "./aws-kind.ts";
import type { ErrorClass } from "./error-class.ts";
import type { Reason } from "../reasons.ts";

/** What came of the effects of a run. */
export interface Answers {
  /** An effect that AWS refused, or whose answer did not come: nothing else is tried in this run. */
  readonly failed?: ErrorClass;
  /** Ids of what a search found. */
  readonly found?: readonly string[];
  /** The id of what was made. */
  readonly created?: string;
  /** Something was made, changed or tagged. */
  readonly changed?: boolean;
  /** By path: versions of what the spec does not say itself (see `Comparison`), as it was written. */
  readonly versions?: Readonly<Record<string, string>>;
  /** A part of a change was written, and the rest follows. */
  readonly partly?: boolean;
  readonly removed?: boolean;
  /** What is in the way of a change or removal. */
  readonly obstacle?: Obstacle;
  readonly retired?: boolean;
  readonly untagged?: boolean;
  /** What came of writing the outputs: nothing is wrong, or this. */
  readonly outputs?: "written" | { readonly reason: Reason; readonly message: string };
}

export const NO_ANSWERS: Answers = {};
