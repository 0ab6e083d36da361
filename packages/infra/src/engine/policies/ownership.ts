import type { Immutable } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import type { Managed } from "../aws-kind.ts";
import { ask, remember, rest } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Memory } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { intent } from "./creation.ts";
import { nameIn, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** Something is there that is not this object's by its tags: it is only touched with consent, and never from under another object. */
export const foreign: Policy = (seen) => {
  const { object, memory, resource } = seen;
  if (resource.is !== "present" || resource.own) return undefined;
  const { id, owner, ownerLives, believedInMs } = resource;
  const adopting = {
    ready: "False",
    reason: REASONS.Adopting,
    message: `${nameIn(seen)} is being taken over.`,
  } as const;
  if (mayAdopt(object, memory, owner) && !ownerLives) {
    if (memory.pending?.operation !== "Adopt") {
      return remember(intent(seen, "Adopt", { id, ownership: "Adopted", fields: [] }));
    } else if (resource.tags !== undefined) {
      if (!resource.fresh) return ask({ type: "read", id }, adopting);
      return ask({ type: "tag", change: resource.tags, why: "Adopt" }, adopting);
    }
  }
  const whose = owner === undefined ? "has no tags that say whose it is" : `belongs to ${owner}`;
  const message = `${nameIn(seen)} exists and ${whose}. It is taken over only ${howAdopted(object, memory, owner, ownerLives)}.`;
  if (believedInMs > 0) return rest({ reason: REASONS.Looking, message, synced: "Unknown" }, believedInMs);
  return rest({ ready: "False", reason: REASONS.Conflict, message }, SELDOM_MS);
};

/** Whether an object may take over what is not its own by its tags. What another object took over from it is not taken back. */
export function mayAdopt({ spec }: Immutable<Managed>, memory: Memory, owner: string | undefined): boolean {
  const { byName, byTags } = spec.management?.adopt ?? {};
  const { resource, pending } = memory;
  if (byName !== true && byTags === undefined) return false;
  if (resource === undefined) return true;
  // Tags name one resource, once: consent to that is none to what was made, or looked at.
  if (byName !== true && resource.ownership !== "Adopted") return false;
  return pending !== undefined || owner === undefined;
}

/** What it takes until an object takes over what it does not, in words. */
export function howAdopted(
  object: Immutable<Managed>,
  memory: Memory,
  owner: string | undefined,
  ownerLives: boolean,
): string {
  const { byName, byTags } = object.spec.management?.adopt ?? {};
  const consents = byName === true || byTags !== undefined;
  const anew = "by a new object with management.adopt: delete this one with deletionPolicy Retain, and make it anew";
  const ways = [
    ...(ownerLives ? ["once that object is gone"] : []),
    ...(consents ? (mayAdopt(object, memory, owner) ? [] : [anew]) : ["with management.adopt"]),
  ];
  return ways.join(", and ");
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
