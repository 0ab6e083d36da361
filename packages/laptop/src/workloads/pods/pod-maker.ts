import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { meta } from "@gatewright/kube/api";
import { controllerOf, isAlreadyExists } from "@gatewright/runtime";
import type { New, ReconcileContext } from "@gatewright/runtime";
import { staleCache } from "../ownership/confirm-current.ts";
import { selectorText } from "../ownership/selector-text.ts";
import { isRefusal } from "../refusal.ts";
import { nextOrdinal, steadyName } from "../../steady-name.ts";

type Context = Pick<ReconcileContext<ApiObject>, "client" | "signal" | "events">;
type Pod = Immutable<core.Pod>;

/** A pod that is to be made. Those with the same series are interchangeable, and are numbered. */
export interface Wanted {
  /** What its name begins with. */
  readonly prefix: string;
  /** Unique among the series of all owners. */
  readonly series: string;
  build(name: string): New<core.Pod>;
}

/** Whose pods are made. */
export interface PodOwner<O extends ApiObject> {
  readonly owner: Immutable<O>;
  readonly resource: Resource<O>;
  readonly selector: Immutable<meta.LabelSelector>;
  /** Whether somebody has worked on it before and said so in its status. */
  readonly isKnown: boolean;
}

/** What is known of an owner beyond the cache, in this term of this process. */
interface Memory {
  readonly uid: string | undefined;
  /** By series: the ordinal of the first pod whose making was not acknowledged. */
  readonly next: Map<string, number>;
  /** Whether a pod may be there that the cache does not know: nobody heard what came of making it. */
  isInDoubt: boolean;
}

/** Makes the pods of owners, never one too many. */
export interface PodMaker<O extends ApiObject> {
  /**
   * Rejects with a conflict unless the server has the pods of the owner in the same standing. It is asked when that is in doubt: for
   * the first time in a term (if the owner is known), since this process may have just begun to lead, with a cache from before the
   * last writes of the one before; and when the answer to a write was lost. To be called before anything is done or told that
   * depends on how many pods there are.
   */
  trust(context: Context, owner: PodOwner<O>, pods: readonly Pod[]): Promise<void>;
  /** Whether {@link trust} would ask. */
  isInDoubt(owner: PodOwner<O>): boolean;
  /**
   * Makes pods: one, then two, then four at a time, and none after one was refused. Rejects with the first refusal. The server must
   * have confirmed the owner (exactly, when it is not known), and {@link trust} its pods.
   */
  make(context: Context, owner: PodOwner<O>, pods: readonly Pod[], wanted: readonly Wanted[]): Promise<void>;
  forget(key: ObjectKey): void;
  /** Another process may have led meanwhile. */
  newTerm(): void;
}

/** `standing`: what of a pod must be as the cache shows it. Pods without one do not matter. */
export function createPodMaker<O extends ApiObject>(standing: (pod: Pod) => string | undefined): PodMaker<O> {
  const memories = new Map<ObjectKey, Memory>();

  const makeOne = async (
    { client, events, signal }: Context,
    { owner }: PodOwner<O>,
    wanted: Wanted,
    ordinals: () => number,
  ): Promise<void> => {
    const { namespace = "", uid = "" } = owner.metadata;
    for (;;) {
      const ordinal = ordinals();
      const name = steadyName(wanted.prefix, wanted.series, ordinal);
      try {
        await client.for(core.Pod).create(wanted.build(name), { signal });
        events.record(owner, { type: "Normal", reason: "SuccessfulCreate", note: `Created pod: ${name}` });
        return;
      } catch (error) {
        if (!isAlreadyExists(error)) throw new NotMadeError(wanted.series, ordinal, error);
      }
      const live = await client.for(core.Pod).find({ namespace, name }, { signal });
      // One of ours was made by somebody who did not hear the answer, and the cache does not know it yet. Else the name is another's.
      if (live !== undefined && controllerOf(live)?.uid === uid) {
        throw new NotMadeError(wanted.series, ordinal, staleCache(core.Pod, name));
      }
    }
  };

  const remembered = ({ owner }: PodOwner<O>): Memory => {
    const { uid } = owner.metadata;
    const known = memories.get(keyOf(owner));
    if (known !== undefined && known.uid === uid) return known;
    const made: Memory = { uid, next: new Map(), isInDoubt: false };
    memories.set(keyOf(owner), made);
    return made;
  };

  return {
    isInDoubt: ({ owner, isKnown }) => {
      const memory = memories.get(keyOf(owner));
      // Before its first status nobody has counted pods, and those of an unfinished first run have the first names.
      return memory?.uid === owner.metadata.uid ? memory?.isInDoubt === true : isKnown;
    },

    async trust({ client, signal }, owner, pods) {
      if (!this.isInDoubt(owner)) return;
      const { uid = "", namespace = "", name = "" } = owner.owner.metadata;
      const labelSelector = selectorText(owner.selector);
      const { items } = await client.for(core.Pod).list({ namespace, labelSelector, signal });
      const live = items.filter((pod) => controllerOf(pod)?.uid === uid);
      if (standings(live, standing) !== standings(pods, standing)) throw staleCache(core.Pod, name);
      remembered(owner).isInDoubt = false;
    },

    async make(context, owner, pods, wanted) {
      const memory = remembered(owner);
      const taken = new Set(pods.map(({ metadata }) => metadata.name ?? ""));
      const first = ({ prefix, series }: Wanted): number => (owner.isKnown ? nextOrdinal(prefix, series, taken) : 0);
      /** The first ordinal of each series that was not tried yet. */
      const tried = new Map<string, number>();
      const ordinals = (pod: Wanted) => (): number => {
        let ordinal = tried.get(pod.series) ?? memory.next.get(pod.series) ?? first(pod);
        while (taken.has(steadyName(pod.prefix, pod.series, ordinal))) ordinal++;
        tried.set(pod.series, ordinal + 1);
        return ordinal;
      };
      for (let batch = 1, at = 0; at < wanted.length; at += batch, batch *= 2) {
        const results = await Promise.allSettled(
          wanted.slice(at, at + batch).map((pod) => makeOne(context, owner, pod, ordinals(pod))),
        );
        const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
        for (const [series, ordinal] of tried) memory.next.set(series, ordinal);
        for (const failure of failures) if (failure instanceof NotMadeError) failure.noteIn(memory);
        if (failures.length > 0) throw failures[0] instanceof NotMadeError ? failures[0].cause : failures[0];
      }
    },

    forget: (key) => void memories.delete(key),
    newTerm: () => memories.clear(),
  };
}

/** The pod of this ordinal may or may not be there: it is tried again first, under the same name. */
class NotMadeError extends Error {
  readonly #series: string;
  readonly #ordinal: number;

  constructor(series: string, ordinal: number, cause: unknown) {
    super(`pod ${ordinal} was not made`, { cause });
    this.name = "NotMadeError";
    this.#series = series;
    this.#ordinal = ordinal;
  }

  noteIn(memory: Memory): void {
    memory.next.set(this.#series, Math.min(this.#ordinal, memory.next.get(this.#series) ?? this.#ordinal));
    if (!isRefusal(this.cause)) memory.isInDoubt = true;
  }
}

function standings(pods: readonly Pod[], standing: (pod: Pod) => string | undefined): string {
  return pods
    .flatMap((pod) => {
      const told = standing(pod);
      return told === undefined ? [] : [`${pod.metadata.uid} ${told}`];
    })
    .sort()
    .join();
}
