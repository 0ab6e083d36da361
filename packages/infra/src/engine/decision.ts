import type { Difference } from "./compare.ts";
import type { TagChange } from "./compare-tags.ts";
import type { Memory } from "./memory.ts";
import type { Reason } from "../reasons.ts";

/** Something to be asked of AWS or of the server. Each is safe to repeat, and to be cut off anywhere. */
export type Effect =
  | { readonly type: "read"; readonly id: string }
  /** Which resources have the tags that consent names, or this object's uid. */
  | { readonly type: "search"; readonly by: "tags" | "uid" }
  | { readonly type: "create"; readonly token: string }
  | { readonly type: "change"; readonly differences: readonly Difference[]; readonly drifted: boolean }
  | { readonly type: "tag"; readonly change: TagChange; readonly why: "Adopt" | "Repair" | "Orphan" }
  | { readonly type: "remove" }
  | { readonly type: "retire" }
  | { readonly type: "writeOutputs" };

/** How an object stands, for people. */
export interface Fact {
  /** Whether the resource can be used as the spec says. Missing: as it was, while the spec is the same; False otherwise. */
  readonly ready?: "True" | "False" | "Unknown";
  /** Whether there is nothing left to do. Default: False. */
  readonly synced?: "True" | "False" | "Unknown";
  readonly reason: Reason;
  readonly message: string;
}

/** What comes next for an object. */
export type Decision =
  /** The memory changes, and it is decided anew. Written before the next effect that changes something, or with the rest. */
  | { readonly kind: "remember"; readonly memory: Memory }
  | { readonly kind: "ask"; readonly effect: Effect; readonly meanwhile: Fact }
  /** Nothing to do until something changes, or until this time has passed. */
  | { readonly kind: "rest"; readonly fact: Fact; readonly afterMs: number }
  /** Nothing is known yet that could be told: it stays as it is until something changes, or until this time has passed. */
  | { readonly kind: "wait"; readonly afterMs: number }
  /** Of an object that is being deleted: nothing holds it any more. `why`: for the event. */
  | { readonly kind: "gone"; readonly why: "Deleted" | "Retained" | "Orphaned" | "Stopped" | "NotOurs" | "NeverMade" };

export function remember(memory: Memory): Decision {
  return { kind: "remember", memory };
}

export function ask(effect: Effect, meanwhile: Fact): Decision {
  return { kind: "ask", effect, meanwhile };
}

export function rest(fact: Fact, afterMs: number): Decision {
  return { kind: "rest", fact, afterMs };
}

/** Whether an effect changes AWS. What is remembered is written before it, and the object is certain to be as it was decided by. */
export function changesAws({ type }: Effect): boolean {
  return type !== "read" && type !== "search" && type !== "writeOutputs";
}
