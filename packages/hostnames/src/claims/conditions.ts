import { removeCondition, setCondition } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import type { Claim, Conditions } from "./claim.ts";
import type { Fact } from "./decision.ts";
import { STEPS } from "./steps.ts";
import type { Step } from "./steps.ts";

/** Why a step is done. */
const DONE: Readonly<Record<Step, Reason>> = {
  Claimed: REASONS.Claimed,
  CertificateRequested: REASONS.Requested,
  DnsValidated: REASONS.RecordsCreated,
  CertificateIssued: REASONS.Issued,
  ListenerAttached: REASONS.Attached,
  DnsAliasReady: REASONS.Created,
  Ready: REASONS.Serving,
};

/**
 * The conditions that a fact comes to. Steps before the one that it is about are done; those after it stay as they were said to be.
 * Ready is false until all are, unless the hostname is served meanwhile.
 */
export function conditionsOf(claim: Claim, fact: Fact, now: number): Conditions {
  const observedGeneration = claim.metadata.generation ?? 0;
  const { reason, message, status = "False" } = fact;
  let conditions = claim.status?.conditions ?? [];
  const say = (type: string, is: "True" | "False" | "Unknown", why: Reason, words: string): void => {
    const said = { type, status: is, reason: why.reason, message: words, observedGeneration };
    conditions = setCondition(conditions, said, now);
  };
  const at = STEPS.indexOf(fact.at);
  if (fact.undoing !== true) for (const step of STEPS.slice(0, at)) say(step, "True", DONE[step], "");
  say(fact.at, status, reason, message);
  const ready = conditions.find(({ type }) => type === "Ready");
  const goesOn = fact.serving === true && ready?.status === "True";
  if (fact.at !== "Ready" && !goesOn) say("Ready", "False", reason, message);
  if (fact.denied === true) say("Denied", "True", reason, message);
  else conditions = removeCondition(conditions, "Denied");
  return conditions.toSorted((a, b) => placeOf(a.type) - placeOf(b.type));
}

/** In the order in which they come true, whatever else there is after them. */
function placeOf(type: string): number {
  const place = STEPS.findIndex((step) => step === type);
  return place < 0 ? STEPS.length : place;
}

/** Whether a claim's status says that a step is done. */
export function isDone({ status }: Claim, step: Step): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === step && is === "True") === true;
}
