import { recordKey } from "@gatewright/aws";
import { formatTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { recordSet, recordsOf, remembering, wishOf } from "../claim.ts";
import type { ClaimRecord, Memory, ReleaseStep } from "../claim.ts";
import { remember, rest } from "../decision.ts";
import type { Fact } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { withdrawal } from "../publication.ts";
import { drainMs, isAhead } from "./drain.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { unpublished } from "./unpublished.ts";

/** What is told while a claim is undone. */
export function undoing(message: string): Fact {
  return { at: "Ready", reason: REASONS.Deleting, message, undoing: true };
}

/** So many hostnames go at once that a person has to say that it is meant. */
export const deletionHeld: Policy = ({ held, memory }) => {
  if (!held || memory.released !== undefined) return undefined;
  const message = "Unusually many hostnames are being deleted: this one stays until somebody says that it is meant.";
  return rest({ at: "Ready", reason: REASONS.DeletionHeld, message, undoing: true, serving: true }, SELDOM_MS);
};

/** The release begins with what others see first. A claim for which nothing was made has nothing to undo. */
export const releaseNotBegun: Policy = (seen) => {
  const { memory, claim } = seen;
  if (memory.released !== undefined) return undefined;
  const { certificate, gateway, records = [] } = memory;
  if (certificate === undefined && gateway === undefined && records.length === 0) return { kind: "gone" };
  const retained = wishOf(claim).deletionPolicy === "Retain";
  const withAlias = recordsOf(memory, "alias").length > 0 && !retained;
  return remember(atStep(seen, withAlias ? "alias" : "listener"));
};

/** Nobody may be led to a load balancer that no longer answers: the records go first, and have to be gone everywhere. */
export const aliasesLeft: Policy = (seen) => {
  const { memory, answers } = seen;
  if (memory.released?.step !== "alias") return undefined;
  const [record] = recordsOf(memory, "alias");
  if (record === undefined) return remember(atStep(seen, "drain"));
  const state = withdrawal(recordSet(record), answers.changes.get(recordKey(record)));
  const gone = state.state === "failed" && state.zoneGone;
  const decision = gone ? undefined : unpublished("Ready", recordSet(record), state, { undoing: true });
  return decision ?? remember(without(memory, record));
};

/** Resolvers still know the address. */
export const resolversRemember: Policy = (seen) => {
  const { memory } = seen;
  if (memory.released?.step !== "drain") return undefined;
  if (isAhead(seen, memory.released.at)) return remember(atStep(seen, "drain"));
  const left = drainMs(seen, memory.released.at);
  if (left > 0) return rest(undoing("Its records are gone; resolvers may still know them for a while."), left);
  return remember(atStep(seen, "listener"));
};

/** The pool takes the listener and the certificate off the Gateways. What is retained stays in AWS as it is. */
export const listenersLeft: Policy = (seen) => {
  const { memory, listening, claim } = seen;
  if (memory.released?.step !== "listener") return undefined;
  if (listening) return rest(undoing("Its listener is being removed from the Gateway."), SELDOM_MS);
  if (wishOf(claim).deletionPolicy === "Retain") return { kind: "gone" };
  const off = remembering(memory, { gateway: undefined, leaving: undefined, loadBalancer: undefined });
  return remember(atStep({ ...seen, memory: off }, "certificate"));
};

/** The name needs its validation record for as long as a certificate has it, whoever's that is; then it goes. */
export const validationsLeft: Policy = (seen) => {
  const { memory, answers, carrying, neededByOthers } = seen;
  const [record] = recordsOf(memory, "validation");
  if (memory.released?.step !== "validation" || record === undefined) return undefined;
  const carriers = carrying.get(record.name) ?? "unknown";
  if (carriers === "unknown") {
    return rest(undoing("It is looked whether other certificates need the validation record."), AGAIN_MS);
  }
  if (carriers.length > 0 || neededByOthers.has(record.name)) return remember(without(memory, record));
  const state = withdrawal(recordSet(record), answers.changes.get(recordKey(record)));
  const gone = state.state === "failed" && state.zoneGone;
  const decision = gone ? undefined : unpublished("Ready", recordSet(record), state, { undoing: true });
  return decision ?? remember(without(memory, record));
};

/** Nothing is left. */
export const nothingLeft: Policy = () => ({ kind: "gone" });

export function atStep({ memory, now }: Pick<Observation, "memory" | "now">, step: ReleaseStep): Memory {
  return remembering(memory, { released: { at: formatTime(now), step } });
}

function without(memory: Memory, record: ClaimRecord): Memory {
  return remembering(memory, { records: (memory.records ?? []).filter((each) => each !== record) });
}
