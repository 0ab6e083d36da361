import type { Immutable } from "@gatewright/kube";
import type { EventRecorder } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Answers } from "./answers.ts";
import type { Managed } from "./aws-kind.ts";
import type { Effect } from "./decision.ts";
import type { Observation } from "./observation.ts";
import { nameIn } from "./policies/policy.ts";
import type { RunEnd } from "./run.ts";

/** An event for what was done to a resource. */
export function tellEffect(events: EventRecorder, effect: Effect, seen: Observation, answers: Answers): void {
  const { object, memory } = seen;
  const say = (reason: string, action: string, note: string): void =>
    events.record(object, { type: "Normal", reason, action, note });
  if (answers.failed !== undefined || answers.obstacle !== undefined) return;
  if (effect.type === "create") say("Created", "Create", `${object.kind} ${answers.created} was made in AWS.`);
  if (effect.type === "tag" && effect.why === "Adopt") say("Adopted", "Adopt", "The resource was taken over.");
  if (effect.type === "remove" && memory.pending?.operation === "Replace")
    say("Replacing", "Replace", `AWS was asked to delete ${nameIn(seen)}, which is made anew as was approved.`);
  if (effect.type === "change" && answers.partly !== true) {
    const fields = effect.differences.map(({ path }) => path).join(", ");
    if (effect.drifted) say("DriftRepaired", "Repair", `Others had changed ${fields}; it is as the spec says again.`);
    else say("Changed", "Change", `Changed ${fields}.`);
  }
}

const LEFT: Readonly<Record<NonNullable<RunEnd["gone"]>, string | undefined>> = {
  Deleted: "The resource is gone from AWS.",
  Retained: "The resource stays in AWS as it is.",
  Orphaned: "The resource stays in AWS, without the operator's tags.",
  Stopped: "The resource stays in AWS, stopped.",
  NotOurs: "The resource of this name is not this object's by its tags: it was left alone.",
  NeverMade: undefined,
};

/** An event when something became otherwise: never of what stays as it is, nor of what is merely on its way. */
export function tellEnd(events: EventRecorder, before: Immutable<Managed>, { object, fact, gone }: RunEnd): void {
  const left = gone === undefined ? undefined : LEFT[gone];
  if (gone !== undefined && left !== undefined) {
    events.record(object, { type: "Normal", reason: gone, action: "Delete", note: left });
  }
  if (fact === undefined) return;
  const [then, now] = [readyOf(before), readyOf(object)];
  if (now === undefined || (then?.status === now.status && then.reason === now.reason)) return;
  const good = now.status === "True" && fact.reason === REASONS.InSync;
  if (fact.reason.remedy === "" && !good) return;
  const type = good ? "Normal" : "Warning";
  events.record(object, { type, reason: fact.reason.reason, action: "Reconcile", note: fact.message });
}

function readyOf({ status }: Immutable<Managed>) {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
