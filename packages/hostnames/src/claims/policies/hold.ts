import { formatTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { remembering } from "../claim.ts";
import { ask, remember, rest } from "../decision.ts";
import { standing } from "../overlap.ts";
import { AGAIN_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** The name is the claim's only once the server said, after the claim was made, that nobody else has one that overlaps. */
export const nameNotHeld: Policy = ({ claim, memory, answers, now }) => {
  if (memory.claimedAt !== undefined) return undefined;
  const { ownerRef, hostname } = claim.spec;
  const { around } = answers;
  const at = "Claimed";
  if (around === undefined) {
    const message = "It is looked whether somebody else holds the hostname.";
    return ask({ type: "lookAround" }, { at, status: "Unknown", reason: REASONS.Claiming, message });
  }
  if (around.owner !== "present") {
    const message = `The request ${ownerRef.namespace}/${ownerRef.name} that the claim was made for is gone.`;
    return rest({ at, reason: REASONS.OwnerMissing, message, denied: true }, AGAIN_MS);
  }
  const stands = standing(claim, around.rivals);
  if (stands.state === "free") return remember(remembering(memory, { claimedAt: formatTime(now) }));
  const rival = stands.state === "yields" ? stands.to : stands.for;
  const message = `${rival.spec.hostname} belongs to namespace ${rival.spec.ownerRef.namespace}; ${hostname} overlaps with it.`;
  return rest({ at, reason: REASONS.OverlapsAnother, message, denied: stands.state === "yields" }, AGAIN_MS);
};
