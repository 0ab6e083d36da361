import type { Decision } from "../decision.ts";
import type { Observation } from "../observation.ts";

/** One answer: what is next when it applies, undefined when it does not. Pure. */
export type Policy = (seen: Observation) => Decision | undefined;

/** For what passes by itself, soon. */
export const SOON_MS = 5_000;
/** For what others have to do, who wake the object when they have done it. */
export const SELDOM_MS = 300_000;

/** The decision of the first policy that applies. The last one must. */
export function firstThatApplies(seen: Observation, policies: readonly Policy[]): Decision {
  for (const policy of policies) {
    const decision = policy(seen);
    if (decision !== undefined) return decision;
  }
  throw new TypeError("no policy applies");
}

/** A resource as people know it: `SQSQueue orders`. */
export function nameIn({ object, resource }: Observation): string {
  return "id" in resource ? `${object.kind} ${resource.id}` : `The resource of ${object.kind} ${object.metadata.name}`;
}

/** Nothing was ever made for it. After a replacement there may be what AWS denied when it was decided. */
export function neverTried({ untried, memory }: Observation): boolean {
  return untried && (memory.replacements ?? 0) === 0;
}
