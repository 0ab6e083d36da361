import { parseTime } from "@gatewright/kube";
import type { State } from "./answer.ts";
import { reasonEntry } from "./reasons/catalogue.ts";
import type { Vocabulary } from "./reasons/catalogue.ts";

/** A condition as kinds have them, ours and others'. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

const MINUTE_MS = 60_000;

/** Reasons that name something to do and yet are no trouble while they are young: for how long. */
const PATIENCE_MS: ReadonlyMap<string, number> = new Map([
  ["NotReady", MINUTE_MS],
  ["ContainersNotReady", MINUTE_MS],
  ["MinimumReplicasUnavailable", MINUTE_MS],
  ["Unschedulable", MINUTE_MS / 2],
  ["GatewayNotProgrammed", MINUTE_MS],
  ["WaitingForGateway", 15 * MINUTE_MS],
  ["ReleasingFirst", 15 * MINUTE_MS],
  ["Throttled", Number.POSITIVE_INFINITY],
  ["WaitingForReference", Number.POSITIVE_INFINITY],
  ["ZoneLookupFailed", MINUTE_MS / 2],
]);

/** How the link is that a condition is about: one that is good when it is True. `generation`: of the object. */
export function conditionState(
  condition: AnyCondition,
  generation: number | undefined,
  vocabularies: readonly Vocabulary[],
  now: number,
): State {
  const { status, reason = "", observedGeneration, lastTransitionTime } = condition;
  if (isOutdated(observedGeneration, generation)) return "waiting";
  // Good, and yet its reason names something to do: it works as it was, and what it should become since then was refused.
  if (status === "True") return (reasonEntry(reason, vocabularies)?.remedy ?? "") === "" ? "ok" : "warning";
  const patience = PATIENCE_MS.get(reason);
  const since = parseTime(lastTransitionTime ?? "");
  if (patience !== undefined && since !== undefined && now - since < patience) return "waiting";
  const entry = reasonEntry(reason, vocabularies);
  if (entry === undefined) return status === "Unknown" ? "waiting" : "broken";
  return entry.remedy === "" ? "waiting" : "broken";
}

/** Whether what was said is about a spec before this one. */
export function isOutdated(observed: number | undefined, generation: number | undefined): boolean {
  return observed !== undefined && generation !== undefined && observed < generation;
}
