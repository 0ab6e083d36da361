import { parseTime } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Cause } from "../chain.ts";
import type { AnyCondition } from "../condition-state.ts";
import { kubectl } from "../kubectl.ts";
import { isOutdated } from "../condition-state.ts";
import { conditionLink, link } from "../link.ts";
import type { LinkInput } from "../link.ts";
import { reasonEntry } from "../reasons/catalogue.ts";
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
  const condition = status?.conditions?.find((each) => each.type === type);
  if (metadata.deletionTimestamp !== undefined) {
    const hold = holdOf(object, condition, words);
    if (hold !== undefined) {
      const also = [...(rest.also ?? []), { text: "See all of it.", command: kubectl.describe(subject) }];
      return conditionLink({ ...about, also, condition: hold, generation: metadata.generation, words, now });
    }
    const message = deletionText(object);
    return link({ ...about, state: "waiting", reason: "Deleting", message, since: metadata.deletionTimestamp });
  }
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

/** Finalizers of Kubernetes itself: what they wait for is not told by a condition. */
const OF_KUBERNETES: ReadonlySet<string> = new Set(["foregroundDeletion", "orphan"]);

/**
 * What holds up a deletion, as the controller that holds the object said when it had seen the deletion (which is a generation of its
 * own). Undefined where it has said nothing that a person could act on: then it is on its way.
 */
function holdOf(
  { metadata, status }: Conditioned,
  condition: AnyCondition | undefined,
  words: readonly Vocabulary[],
): AnyCondition | undefined {
  if ((metadata.finalizers ?? []).every((finalizer) => OF_KUBERNETES.has(finalizer))) return undefined;
  const inUse = status?.conditions?.find((each) => each.type === "InUse" && each.status === "True");
  const told = inUse ?? condition;
  const observed = told?.observedGeneration ?? status?.observedGeneration;
  if (told === undefined || observed === undefined || isOutdated(observed, metadata.generation)) return undefined;
  if ((reasonEntry(told.reason ?? "", words)?.remedy ?? "") === "") return undefined;
  const message = `It is being deleted. ${told.message ?? ""}`.trimEnd();
  const lastTransitionTime = metadata.deletionTimestamp ?? "";
  return { ...told, status: "False", message, observedGeneration: observed, lastTransitionTime };
}

function deletionText({ metadata: { finalizers = [] } }: Conditioned): string {
  return finalizers.length === 0
    ? "It is being deleted."
    : `It is being deleted, and held by ${finalizers.join(", ")}.`;
}
