import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import { plannedChanges } from "../../plan/plan.ts";
import { remembering } from "../memory.ts";
import { reconcileNow } from "../reconcile-now.ts";
import { intent } from "./creation.ts";
import { nameIn, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const looking = { reason: REASONS.Looking, message: "The resource is being looked for.", synced: "Unknown" } as const;

/** Consent is given to the one resource that has certain tags, and which that is is not known yet. */
export const adoptionByTags: Policy = (seen) => {
  const { object, memory, answers } = seen;
  const { adopt, mode } = object.spec.management ?? {};
  if (adopt?.byTags === undefined || memory.resource !== undefined || memory.pending !== undefined) return undefined;
  if (answers.found === undefined) return ask({ type: "search", by: "tags" }, looking);
  const [id, ...others] = answers.found;
  if (id === undefined) {
    const message = "No resource has the tags of management.adopt.byTags.";
    return rest({ ready: "False", reason: REASONS.NotFound, message }, SELDOM_MS);
  }
  if (others.length > 0) {
    const message = `${answers.found.length} resources have the tags of management.adopt.byTags: ${answers.found.slice(0, 5).join(", ")}. There must be one.`;
    return rest({ ready: "False", reason: REASONS.Ambiguous, message }, SELDOM_MS);
  }
  if (mode === "Observe") return remember(remembering(memory, { resource: { id, ownership: "Observed" } }));
  return remember(intent(seen, "Adopt", { id, ownership: "Adopted", fields: [] }));
};

/** It is not known how the resource is: not since the last write, or not for as long as drift may go unseen. */
export const resourceUnknown: Policy = ({ resource }) =>
  resource.is === "unknown" ? ask({ type: "read", id: resource.id }, looking) : undefined;

/** Somebody wanted it to be looked at: it was. */
export const askedNow: Policy = (seen) => {
  const value = reconcileNow(seen.object);
  const { resource, memory } = seen;
  if (value === undefined || value === memory.reconciledNow || !("fresh" in resource) || !resource.fresh)
    return undefined;
  return remember(remembering(memory, { reconciledNow: value }));
};

/** The resource is only looked at. */
export const observed: Policy = (seen) => {
  const { object, memory, resource, session, lookAgainMs } = seen;
  if (object.spec.management?.mode !== "Observe") return undefined;
  if (resource.is !== "present") {
    const message = `${nameIn(seen)} is not there. With mode Observe it is not made.`;
    return rest({ ready: "False", reason: REASONS.NotFound, message }, Math.min(lookAgainMs, SELDOM_MS));
  }
  const { id, state } = resource;
  const differences = resource.comparison?.differences ?? [];
  const drift = plannedChanges(differences);
  const place = "session" in session ? { accountID: session.session.account, region: session.session.region } : {};
  const next = remembering(memory, {
    resource: { id, ownership: "Observed" },
    drift: drift.length === 0 ? undefined : drift,
    plan: undefined,
    pending: undefined,
    ...place,
  });
  if (!deepEqual(next as Json, memory as Json)) return remember(next);
  if (state.is !== "ready") return rest({ ready: "False", reason: REASONS.Busy, message: state.message }, SELDOM_MS);
  if (drift.length === 0)
    return rest(
      { ready: "True", synced: "True", reason: REASONS.InSync, message: `${nameIn(seen)} is as the spec says.` },
      lookAgainMs,
    );
  const message = `${nameIn(seen)} differs in ${drift.map(({ field }) => field).join(", ")}.`;
  return rest({ ready: "True", reason: REASONS.Drifted, message }, lookAgainMs);
};
