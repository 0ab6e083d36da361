import type { Answer } from "../exchange/answer.ts";
import type { Call } from "./call.ts";

/**
 * One thing that a route does with its requests. Filters hold no request's state in themselves; what outlives a request (buckets,
 * caches, keys) is kept state, so that an edit elsewhere does not reset it. A filter that throws makes the call answer 500 and is
 * logged; a filter that guards something answers closed itself.
 */
export interface Filter {
  /** As in logs, metrics and explain: the name of the field that asks for it. */
  readonly name: string;
  /** Before anything is sent to a backend. An answer ends it here. Not a promise unless it has to wait. */
  request?(call: Call): Answer | undefined | Promise<Answer | undefined>;
  /**
   * On the way back, in the reverse order, also for answers that were made here; only those filters whose `request` was asked. May
   * change the answer's head, wrap its body (and then has to correct the length and the fields about it), or answer otherwise (and
   * then has to cancel the body).
   */
  response?(call: Call, answer: Answer): Answer | Promise<Answer>;
}
