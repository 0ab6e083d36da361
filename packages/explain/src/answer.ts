/**
 * How one link of a chain is, or a whole answer. `warning`: it serves, and something endangers that. `waiting`: nobody has to do
 * anything. `unknown`: it could not be found out, which is never taken for `ok` or for absence.
 */
export type State = "ok" | "warning" | "waiting" | "broken" | "unknown";

/** Worst first: what people want to see at the top. */
export const STATES: readonly State[] = ["broken", "unknown", "waiting", "warning", "ok"];

/** An object that is spoken of. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Something to do next. */
export interface NextStep {
  /** A sentence. */
  readonly text: string;
  /** What can be pasted into a shell. */
  readonly command?: string;
}

/** One part of the way from what was asked about to what it stands on. */
export interface Link {
  /** What people call it: `Pod web-1`, `Certificate`, `DNS`. */
  readonly title: string;
  /** How deep it is: links of a greater level that follow are what this one stands on. */
  readonly level: number;
  readonly state: State;
  /** UpperCamelCase, as in conditions; empty where there is none. */
  readonly reason: string;
  /** One or more sentences for people; may be empty. */
  readonly message: string;
  /** RFC 3339: since when it is so. */
  readonly since?: string;
  /** The object that this link is about, where it is about one. */
  readonly subject?: Subject;
  /** What to do about this link alone. */
  readonly next: readonly NextStep[];
}

/** Why something is as it is. Plain values: it can be sent as JSON. */
export interface Answer {
  readonly subject: Subject;
  /** `ok`: it is live. */
  readonly state: State;
  /** `Application shop/web is not live`: without a cause. */
  readonly verdict: string;
  /** One sentence: the verdict, and the deepest cause if it is not live. */
  readonly headline: string;
  /** Where it answers, or will. */
  readonly url?: string;
  /** The chain, in the order in which it is read. The first link is the subject. */
  readonly links: readonly Link[];
  /** Index of the deepest cause among the links; absent when everything is ok. */
  readonly cause?: number;
  /** What to do about the cause, first things first. */
  readonly next: readonly NextStep[];
}

/** The worse of two states. */
export function worse(a: State, b: State): State {
  return STATES.indexOf(a) <= STATES.indexOf(b) ? a : b;
}
