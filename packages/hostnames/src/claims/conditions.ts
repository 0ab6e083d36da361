import { removeCondition, setCondition } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import type { Claim, Conditions, Memory } from "./claim.ts";
import type { Fact } from "./decision.ts";
import { STEPS } from "./steps.ts";
import type { Step } from "./steps.ts";

/** Why a step is done, and what came of it. */
const DONE: Readonly<
  Record<Step, { readonly why: Reason; readonly says: (hostname: string, memory: Memory) => string }>
> = {
  Claimed: { why: REASONS.Claimed, says: (hostname) => `${hostname} is claimed.` },
  CertificateRequested: {
    why: REASONS.Requested,
    says: (_, { certificate }) => `Certificate ${certificate?.arn ?? ""}.`,
  },
  DnsValidated: { why: REASONS.RecordsCreated, says: () => "The record that proves the name is published." },
  CertificateIssued: { why: REASONS.Issued, says: () => "The certificate is issued." },
  ListenerAttached: {
    why: REASONS.Attached,
    says: (_, { gateway }) => `Gateway ${gateway ?? ""} has a listener for it.`,
  },
  DnsAliasReady: {
    why: REASONS.Created,
    says: (hostname, { loadBalancer }) => `${hostname} leads to ${loadBalancer?.dnsName ?? ""}.`,
  },
  Ready: { why: REASONS.Serving, says: () => "" },
};

/**
 * The conditions that a fact comes to. Steps before the one that it is about are done; those after it stay as they were said to be.
 * Ready is false until all are, unless the hostname is served meanwhile.
 */
export function conditionsOf(claim: Claim, memory: Memory, fact: Fact, now: number): Conditions {
  const observedGeneration = claim.metadata.generation ?? 0;
  const { reason, message, status = "False" } = fact;
  let conditions = claim.status?.conditions ?? [];
  const say = (type: string, is: "True" | "False" | "Unknown", why: Reason, words: string): void => {
    const said = { type, status: is, reason: why.reason, message: words, observedGeneration };
    conditions = setCondition(conditions, said, now);
  };
  const at = STEPS.indexOf(fact.at);
  for (const step of fact.undoing === true ? [] : STEPS.slice(0, at)) {
    const { why, says } = DONE[step];
    say(step, "True", why, says(claim.spec.hostname, memory));
  }
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
