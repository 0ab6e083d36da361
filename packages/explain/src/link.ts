import type { NextStep, State, Subject } from "./answer.ts";
import type { Cause } from "./chain.ts";
import { conditionState, isOutdated } from "./condition-state.ts";
import type { AnyCondition } from "./condition-state.ts";
import { kubectl } from "./kubectl.ts";
import type { Unreadable } from "./reader.ts";
import { reasonEntry } from "./reasons/catalogue.ts";
import type { Vocabulary } from "./reasons/catalogue.ts";

/** A link in few words. What to do comes from the catalogue unless it is said. */
export interface LinkInput {
  readonly title: string;
  readonly state: State;
  readonly reason?: string;
  readonly message?: string;
  readonly since?: string | undefined;
  readonly subject?: Subject;
  readonly words?: readonly Vocabulary[];
  /** Default: the remedy of the reason, unless the link is ok. */
  readonly next?: readonly NextStep[];
  /** Commands that show more, after the remedy. */
  readonly also?: readonly NextStep[];
  readonly on?: readonly Cause[];
}

export function link(input: LinkInput): Cause {
  const {
    title,
    state,
    reason = "",
    message = "",
    since,
    subject,
    words = ["found"],
    next,
    also = [],
    on = [],
  } = input;
  const remedy = reasonEntry(reason, words)?.remedy ?? "";
  const steps = next ?? (remedy === "" ? [] : [{ text: remedy }]);
  return {
    title,
    state,
    reason,
    message,
    // Defaults of the Gateway API's definitions say that nothing happened yet by the beginning of time.
    ...(since !== undefined && !since.startsWith("1970-") && { since }),
    ...(subject !== undefined && { subject }),
    next: state === "ok" ? [] : [...steps, ...also],
    on,
  };
}

/** What a condition is told with. */
export interface ConditionLinkInput extends Omit<LinkInput, "state" | "reason" | "message" | "since" | "words"> {
  readonly condition: AnyCondition;
  readonly generation: number | undefined;
  readonly words: readonly Vocabulary[];
  readonly now: number;
}

/** The link that a condition is about. */
export function conditionLink({ condition, generation, words, now, ...rest }: ConditionLinkInput): Cause {
  const state = conditionState(condition, generation, words, now);
  if (isOutdated(condition.observedGeneration, generation)) {
    const message = "The newest spec has not been looked at yet.";
    return link({ ...rest, state, reason: "NotObserved", message, next: [] });
  }
  const { reason = "", message = "", lastTransitionTime: since } = condition;
  const known = reasonEntry(reason, words);
  const told = message === "" ? (known?.means ?? "") : withoutRemedy(message, known?.remedy ?? "");
  return link({ ...rest, state, reason, message: told, since, words });
}

/** A message may end in what to do, for whoever reads the status alone; here that is told beside it. */
function withoutRemedy(message: string, remedy: string): string {
  const what = remedy !== "" && message.endsWith(remedy) ? message.slice(0, -remedy.length).trimEnd() : message;
  return what === "" ? message : what;
}

/** A link that could not be read. Says which right is missing. */
export function unreadLink(title: string, { reason, attempt, message }: Unreadable, subject?: Subject): Cause {
  const about = { title, state: "unknown", ...(subject !== undefined && { subject }) } as const;
  switch (reason) {
    case "Forbidden":
      return link({
        ...about,
        reason: "NotAllowed",
        message: `You may not ${attempt}, so nothing is known of it.`,
        next: [{ text: `Ask for the right to ${attempt}.`, command: kubectl.canI(attempt) }],
      });
    case "NotServed":
      return link({ ...about, reason: "KindNotServed", message: "The API server does not know this kind." });
    default:
      return link({ ...about, reason: "NotRead", message });
  }
}
