import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Fact } from "../decision.ts";
import { remembering } from "../memory.ts";
import { creationIntent, intent } from "./creation.ts";
import { toldPaths } from "./difference.ts";
import { nameIn, SELDOM_MS, SOON_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/**
 * A field differs that cannot be changed: another resource takes its place when a person says so, to this very plan. What others did and
 * is only told asks for none.
 */
export const replacementNeeded: Policy = (seen) => {
  const { resource, memory } = seen;
  if (resource.is !== "present" || resource.replacement === undefined) return undefined;
  if (memory.pending?.operation === "Replace") return undefined;
  const told = toldPaths(seen);
  const differences = resource.comparison?.differences ?? [];
  if (!differences.some(({ change, path }) => change === "replace" && !told.has(path))) return undefined;
  const { hash, changes, approved } = resource.replacement;
  if (approved) return remember(intent(seen, "Replace", memory.resource));
  if (memory.plan?.hash !== hash) return remember(remembering(memory, { plan: { hash, action: "Replace", changes } }));
  const fields = changes.map(({ field }) => field).join(", ");
  const message = `${fields} cannot be changed. ${nameIn(seen)} is deleted and made anew when the annotation aws-infra-operator.runner.codes/approve is ${hash}.`;
  return rest({ reason: REASONS.ReplacementNeeded, message }, SELDOM_MS);
};

/** The resource goes to make room for the next one. As long as it is there the approval must hold. */
export const replacing: Policy = (seen) => {
  const { resource, memory, answers } = seen;
  if (memory.pending?.operation !== "Replace") return undefined;
  const fact: Fact = { ready: "False", reason: REASONS.Replacing, message: `${nameIn(seen)} is being replaced.` };
  if (resource.is === "absent") {
    if (!seen.removed && resource.believedInMs > 0) return rest(fact, resource.believedInMs);
    return remember(creationIntent(seen, (memory.replacements ?? 0) + 1));
  }
  if (resource.is !== "present") return undefined;
  if (resource.state.is === "going") return rest({ ...fact, message: resource.state.message }, resource.state.pollMs);
  if (answers.removed === true) return rest(fact, SOON_MS);
  if (!resource.own || resource.replacement?.approved !== true) {
    return remember(remembering(memory, { pending: undefined }));
  }
  if (answers.obstacle !== undefined) {
    return rest({ ...fact, reason: REASONS[answers.obstacle.reason], message: answers.obstacle.message }, SELDOM_MS);
  }
  return resource.fresh ? ask({ type: "remove" }, fact) : ask({ type: "read", id: resource.id }, fact);
};
