import { keyOf, StatusError } from "@gatewright/kube";
import type { Immutable, ObjectKey } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { controllerOf, isAlreadyExists } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { confirmCurrent, staleCache } from "../ownership/confirm-current.ts";
import { selectorText } from "../ownership/selector-text.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import { nextOrdinal, podName } from "../pods/pod-names.ts";
import { isActive } from "../pods/pod-state.ts";

type Context = Pick<ReconcileContext<apps.ReplicaSet>, "client" | "signal" | "events">;
type ReplicaSet = Immutable<apps.ReplicaSet>;
type Pods = readonly Immutable<core.Pod>[];

/** What is known of a ReplicaSet beyond the cache, in this term of this process. */
interface Memory {
  readonly uid: string | undefined;
  /** The ordinal of the first pod whose making was not acknowledged. */
  next: number;
}

/** Makes the pods of ReplicaSets, never one too many. */
export interface PodMaker {
  /**
   * Rejects with a conflict unless the server has the ReplicaSet as it is here, and (when asked for the first time in a term, of one
   * that somebody has worked on before) the same pods that are not ended. To be called before pods are made or deleted: this
   * process may have just begun to lead, with a cache from before the last writes of the one before.
   */
  confirm(context: Context, replicaSet: ReplicaSet, pods: Pods): Promise<void>;
  /** Makes so many pods: one, then two, then four at a time, and none after one was refused. Rejects with the first refusal. */
  make(context: Context, replicaSet: ReplicaSet, pods: Pods, count: number): Promise<void>;
  forget(key: ObjectKey): void;
  /** Another process may have led meanwhile. */
  newTerm(): void;
}

export function createPodMaker(): PodMaker {
  const memories = new Map<ObjectKey, Memory>();

  const makeOne = async (
    { client, events, signal }: Context,
    replicaSet: ReplicaSet,
    ordinals: Iterator<number>,
  ): Promise<void> => {
    const { namespace = "", name: owner = "", uid = "" } = replicaSet.metadata;
    for (;;) {
      const ordinal: number = ordinals.next().value;
      const name = podName(owner, uid, ordinal);
      const pod = podFromTemplate(replicaSet, apps.ReplicaSet, replicaSet.spec?.template ?? {}, name);
      try {
        await client.for(core.Pod).create(pod, { signal });
        events.record(replicaSet, { type: "Normal", reason: "SuccessfulCreate", note: `Created pod: ${name}` });
        return;
      } catch (error) {
        if (!isAlreadyExists(error)) throw new NotMadeError(ordinal, error);
      }
      // Made before, by somebody whose answer was lost. Or it is on its way out, or another's: then it does not count.
      const live = await client.for(core.Pod).find({ namespace, name }, { signal });
      if (live !== undefined && controllerOf(live)?.uid === uid && isActive(live)) return;
    }
  };

  return {
    async confirm({ client, signal }, replicaSet, pods) {
      await confirmCurrent(client, apps.ReplicaSet, replicaSet, { signal });
      const { uid = "", name = "", namespace = "" } = replicaSet.metadata;
      const key = keyOf(replicaSet);
      if (memories.get(key)?.uid === uid) return;
      // Before its first status nobody has counted pods: those of an unfinished first run have the first names.
      if (replicaSet.status?.observedGeneration === undefined) return void memories.set(key, { uid, next: 0 });
      const labelSelector = selectorText(replicaSet.spec?.selector ?? {});
      const { items } = await client.for(core.Pod).list({ namespace, labelSelector, signal });
      const live = items.filter((pod) => controllerOf(pod)?.uid === uid && isActive(pod));
      const known = new Set(pods.filter(isActive).map((pod) => pod.metadata.uid));
      if (live.length !== known.size || live.some((pod) => !known.has(pod.metadata.uid))) {
        throw staleCache(core.Pod, name);
      }
      memories.set(key, { uid, next: nextOrdinal(name, uid, namesOf(pods)) });
    },

    async make(context, replicaSet, pods, count) {
      const { name = "", uid = "" } = replicaSet.metadata;
      const memory = memories.get(keyOf(replicaSet)) ?? { uid, next: 0 };
      const taken = namesOf(pods);
      let tried = memory.next;
      const ordinals = (function* (): Generator<number, never> {
        for (;;) if (!taken.has(podName(name, uid, tried++))) yield tried - 1;
      })();
      for (let batch = 1, left = count; left > 0; batch *= 2) {
        const size = Math.min(batch, left);
        left -= size;
        const results = await Promise.allSettled(
          Array.from({ length: size }, () => makeOne(context, replicaSet, ordinals)),
        );
        const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
        const notMade = failures.flatMap((failure) => (failure instanceof NotMadeError ? [failure.ordinal] : []));
        memory.next = Math.min(tried, ...notMade);
        if (failures.length > 0) throw failures[0] instanceof NotMadeError ? failures[0].cause : failures[0];
      }
    },

    forget: (key) => void memories.delete(key),
    newTerm: () => memories.clear(),
  };
}

/** The pod of this ordinal may or may not be there: it is tried again first, under the same name. */
class NotMadeError extends Error {
  readonly ordinal: number;

  constructor(ordinal: number, cause: unknown) {
    super(`pod ${ordinal} was not made`, { cause });
    this.name = "NotMadeError";
    this.ordinal = ordinal;
  }
}

/** Whether creates fail because their namespace is going: then all of them will, and it is nobody's fault. */
export function isNamespaceEnding(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    error.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true
  );
}

function namesOf(pods: Pods): Set<string> {
  return new Set(pods.map(({ metadata }) => metadata.name ?? ""));
}
