import { parseTime } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Cause } from "../chain.ts";
import type { AnyCondition } from "../condition-state.ts";
import { kubectl } from "../kubectl.ts";
import { conditionLink, link } from "../link.ts";
import type { LinkInput } from "../link.ts";
import type { Vocabulary } from "../reasons/catalogue.ts";
import { subjectOfObject } from "../subject.ts";

/** An object that tells how it is by conditions. */
export type Conditioned = Immutable<ApiObject> & {
  readonly status?: { readonly conditions?: readonly AnyCondition[]; readonly observedGeneration?: number };
};

/** After this long, nobody is going to look at an object. */
const LOOKED_AT_MS = 30_000;

export interface ObjectLinkInput extends Partial<Pick<LinkInput, "title" | "on" | "also">> {
  readonly words: readonly Vocabulary[];
  readonly now: number;
  /** The condition that says whether it is live. Default: `Ready`. */
  readonly type?: string;
}

/** The link of an object that says by one condition whether it is live. */
export function objectLink(object: Conditioned, { words, now, type = "Ready", ...rest }: ObjectLinkInput): Cause {
  const { kind, metadata, status } = object;
  const subject = subjectOfObject(object);
  const about = { title: `${kind} ${metadata.name ?? ""}`, subject, ...rest };
  if (metadata.deletionTimestamp !== undefined) {
    const message = deletionText(object);
    return link({ ...about, state: "waiting", reason: "Deleting", message, since: metadata.deletionTimestamp });
  }
  const condition = status?.conditions?.find((each) => each.type === type);
  if (condition === undefined) return link({ ...about, ...unseen(metadata.creationTimestamp, now) });
  const observedGeneration = condition.observedGeneration ?? status?.observedGeneration;
  const also = [...(rest.also ?? []), { text: "See all of it.", command: kubectl.describe(subject) }];
  return conditionLink({
    ...about,
    also,
    condition: observedGeneration === undefined ? condition : { ...condition, observedGeneration },
    generation: metadata.generation,
    words,
    now,
  });
}

/** What to say of an object that nobody has looked at: it may be young. */
export function unseen(
  created: string | null | undefined,
  now: number,
): Pick<LinkInput, "state" | "reason" | "message" | "since"> {
  const since = parseTime(created ?? "");
  const isYoung = since !== undefined && now - since < LOOKED_AT_MS;
  return {
    state: isYoung ? "waiting" : "broken",
    reason: isYoung ? "NotObserved" : "NoController",
    message: isYoung ? "No controller has looked at it yet." : "No controller looks at it.",
    since: created ?? undefined,
  };
}

function deletionText({ metadata: { finalizers = [] } }: Conditioned): string {
  return finalizers.length === 0
    ? "It is being deleted."
    : `It is being deleted, and held by ${finalizers.join(", ")}.`;
}
