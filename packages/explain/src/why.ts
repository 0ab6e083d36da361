import { keyOf } from "@gatewright/kube";
import type { ObjectRef, Resource } from "@gatewright/kube";
import type { Answer, Subject } from "./answer.ts";
import { chainOf } from "./chain.ts";
import type { Cause } from "./chain.ts";
import { explainObject } from "./explain/explain-object.ts";
import { gather } from "./gather.ts";
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
  const subject = subjectOf(resource, ref);
  const chain = chainOf(root);
  return { subject, headline: headline(subject, chain, url), ...(url !== undefined && { url }), ...chain };
}

function headline(
  subject: Subject,
  { state, links, cause }: ReturnType<typeof chainOf>,
  url: string | undefined,
): string {
  const what = subjectText(subject);
  const deepest = cause === undefined ? undefined : links[cause];
  const because = deepest === undefined ? "" : `: ${causeText(deepest, subject)}`;
  switch (state) {
    case "ok":
      return `${what} is live${url === undefined ? "" : ` at ${url}`}.`;
    case "warning":
      return `${what} is live, and in danger${because}`;
    case "waiting":
      return `${what} is not live yet${because}`;
    case "broken":
      return `${what} is not live${because}`;
    case "unknown":
      return `It could not be found out how ${what} is${because}`;
  }
}

function causeText(
  { title, reason, message, subject }: Pick<Cause, "title" | "reason" | "message" | "subject">,
  asked: Subject,
): string {
  const isItself = subject !== undefined && subject.kind === asked.kind && keyOf(subject) === keyOf(asked);
  const words = message === "" ? reason : message;
  return isItself ? words : `${title}: ${words}`;
}
