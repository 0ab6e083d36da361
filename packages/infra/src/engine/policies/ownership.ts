import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { intent } from "./creation.ts";
import { nameIn, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** Something is there that is not this object's by its tags: it is only touched with consent, and never from under another object. */
export const foreign: Policy = (seen) => {
  const { memory, resource } = seen;
  if (resource.is !== "present" || resource.own) return undefined;
  const { id, owner, ownerLives, believedInMs } = resource;
  const adopting = {
    ready: "False",
    reason: REASONS.Adopting,
    message: `${nameIn(seen)} is being taken over.`,
  } as const;
  if (consents(seen) && !ownerLives) {
    if (memory.pending?.operation !== "Adopt") {
      const mayTake = memory.resource === undefined || memory.pending !== undefined || owner === undefined;
      if (mayTake) return remember(intent(seen, "Adopt", { id, ownership: "Adopted", fields: [] }));
    } else if (resource.tags !== undefined) {
      if (!resource.fresh) return ask({ type: "read", id }, adopting);
      return ask({ type: "tag", change: resource.tags, why: "Adopt" }, adopting);
    }
  }
  const whose = owner === undefined ? "has no tags that say whose it is" : `belongs to ${owner}`;
  const how = ownerLives ? "once that object is gone, and with management.adopt" : "with management.adopt";
  const message = `${nameIn(seen)} exists and ${whose}. It is taken over only ${how}.`;
  if (believedInMs > 0) return rest({ reason: REASONS.Looking, message, synced: "Unknown" }, believedInMs);
  return rest({ ready: "False", reason: REASONS.Conflict, message }, SELDOM_MS);
};

function consents({ object, memory, name }: Observation): boolean {
  const { byName, byTags } = object.spec.management?.adopt ?? {};
  return byName === true
    ? true
    : byTags !== undefined && (memory.resource?.id ?? name) !== undefined && memory.resource?.ownership === "Adopted";
}

/** The resource is the object's, and the status does not say so yet: what was intended is done. */
export const unrecorded: Policy = ({ memory, resource, session }) => {
  if (resource.is !== "present" || !resource.own) return undefined;
  const { operation } = memory.pending ?? {};
  const known = memory.resource?.id === resource.id && memory.resource.ownership !== "Observed";
  if (known && operation !== "Create" && operation !== "Adopt") return undefined;
  const here = "session" in session ? { accountID: session.session.account, region: session.session.region } : {};
  return remember(
    remembering(memory, {
      resource: { fields: [], ...memory.resource, id: resource.id, ownership: ownershipOf(memory) },
      pending: operation === "Replace" ? memory.pending : undefined,
      ...here,
    }),
  );
};

function ownershipOf({ resource, pending }: Observation["memory"]): "Created" | "Adopted" {
  if (pending?.operation === "Adopt") return "Adopted";
  return resource?.ownership === "Adopted" ? "Adopted" : "Created";
}
