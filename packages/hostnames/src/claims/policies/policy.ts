import type { Decision } from "../decision.ts";
import type { Observation } from "../observation.ts";

/** One thing that a claim may need. Undefined: it does not apply, and the next is asked. */
export type Policy = (seen: Observation) => Decision | undefined;

/** How often is looked again where nobody tells when it is worth it. */
export const AGAIN_MS = 30_000;
/** Where only a person can help, and may not tell. */
export const SELDOM_MS = 300_000;

/** The decision of the first policy that applies. There is always one: the last applies to everything. */
export function firstThatApplies(seen: Observation, policies: readonly Policy[]): Decision {
  for (const policy of policies) {
    const decision = policy(seen);
    if (decision !== undefined) return decision;
  }
  throw new TypeError("no policy applies: the last one of a table must apply to everything");
}
