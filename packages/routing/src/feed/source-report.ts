import type { DeliverableKey, SourceRef } from "../model/deliverable.ts";
import type { Rival } from "./conflicts/conflicts.ts";
import type { Problem } from "./problem.ts";

/** What the feed has to say about an object. */
export interface SourceReport {
  readonly source: SourceRef;
  /** Which generation of the object this is about. */
  readonly generation: number;
  readonly problems: readonly Problem[];
  /** Whether something that it refers to is on its way. */
  readonly waiting: boolean;
  /** Who has what it wants, when somebody older has. */
  readonly rival: Rival | undefined;
  /** The generation that is delivered: this one, or the last good one. Undefined: nothing is. */
  readonly serving: number | undefined;
  /** What is delivered for it, and the backends of Services that it leads to. */
  readonly deliverables: readonly DeliverableKey[];
  readonly services: readonly DeliverableKey[];
}
