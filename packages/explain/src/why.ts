import type { ObjectRef, Resource } from "@gatewright/kube";
import type { Answer, Link, NextStep, State, Subject } from "./answer.ts";
import { chainOf } from "./chain.ts";
import type { Cause } from "./chain.ts";
import { explainObject } from "./explain/explain-object.ts";
import { gather } from "./gather.ts";
import { kubectl } from "./kubectl.ts";
import type { Known } from "./known.ts";
import type { Probes } from "./probes.ts";
import type { Reader } from "./reader.ts";
import { subjectOf, subjectText } from "./subject.ts";

export interface WhyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Looks from outside at the last links. Default: nobody does, and what statuses say is believed. */
  readonly probes?: Probes;
  readonly signal?: AbortSignal;
}

/** What is asked about. */
export interface Question {
  readonly resource: Resource;
  readonly ref: ObjectRef;
}

/** Why something is live, or is not: follows the chain of what it stands on, with the rights of the reader. */
export async function why(reader: Reader, question: Question, { now, probes, signal }: WhyOptions): Promise<Answer> {
  const sources = { reader, now, ...(probes !== undefined && { probes }) };
  return gather(sources, (known) => explain(known, question), signal);
}

/** The answer, by what is known. Pure. */
export function explain(known: Known, { resource, ref }: Question): Answer {
  const { root, url } = explainObject(known, resource, ref);
  return answerOf(subjectOf(resource, ref), root, url);
}

/** What a chain comes to. */
export function answerOf(subject: Subject, root: Cause, url?: string): Answer {
  const chain = chainOf(root);
  const verdict = verdictOf(subject, chain.state);
  const cause = chain.cause === undefined ? undefined : chain.links[chain.cause];
  const headline =
    cause === undefined ? `${verdict}${url === undefined ? "" : ` at ${url}`}.` : `${verdict}: ${causeText(cause)}`;
  const next = chain.next.length === 0 && chain.state === "waiting" ? [waitStep(subject)] : chain.next;
  return { subject, verdict, headline, ...(url !== undefined && { url }), ...chain, next };
}

function waitStep(subject: Subject): NextStep {
  return { text: "Wait: nobody has to do anything.", command: `${kubectl.why(subject)} --wait` };
}

function verdictOf(subject: Subject, state: State): string {
  const what = subjectText(subject);
  switch (state) {
    case "ok":
      return `${what} is live`;
    case "warning":
      return `${what} is live, but at risk`;
    case "waiting":
      return `${what} is not live yet`;
    case "broken":
      return `${what} is not live`;
    case "unknown":
      return `It could not be found out how ${what} is`;
  }
}

/** The deepest cause in words: `Pod web-1: the image cannot be pulled`. */
export function causeText({ title, reason, message }: Pick<Link, "title" | "reason" | "message">): string {
  return `${title}: ${message === "" ? reason : message}`;
}
