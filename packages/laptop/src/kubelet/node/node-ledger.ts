import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { CacheReader } from "@gatewright/runtime";
import type { Taken } from "./fit.ts";
import { addRequests, podRequests, subtractRequests } from "./pod-requests.ts";
import type { Requests } from "./pod-requests.ts";

type Pod = Immutable<core.Pod>;

/** What the pods of one node take, kept as they come and go: a sum over all of them for each new one would be too slow. */
export interface NodeLedger {
  /** Takes all pods of a cache in, the first time that it is called. */
  fill(pods: CacheReader<core.Pod>): void;
  /** A pod as it is now. Returns whether room has become free. */
  update(key: ObjectKey, pod: Pod | undefined): boolean;
  /** A pod was bound to the node, though it does not show that yet. */
  bound(key: ObjectKey, pod: Pod): void;
  taken(): Taken;
}

/** A ledger of the pods on the node of this name. */
export function createNodeLedger(node: string): NodeLedger {
  const known = new Map<ObjectKey, { readonly uid: string | undefined; readonly requests: Requests }>();
  let sum: Requests = { cpu: 0n, memory: 0n };
  let filled = false;

  const remove = (key: ObjectKey): boolean => {
    const before = known.get(key);
    if (before === undefined) return false;
    known.delete(key);
    sum = subtractRequests(sum, before.requests);
    return true;
  };
  const add = (key: ObjectKey, pod: Pod): void => {
    const requests = podRequests(pod.spec);
    known.set(key, { uid: pod.metadata.uid, requests });
    sum = addRequests(sum, requests);
  };
  const takes = ({ spec, status }: Pod): boolean =>
    spec?.nodeName === node && status?.phase !== "Succeeded" && status?.phase !== "Failed";

  return {
    fill(pods) {
      if (filled) return;
      filled = true;
      for (const pod of pods.list()) if (takes(pod)) add(keyOf(pod), pod);
    },
    update(key, pod) {
      if (pod !== undefined && known.get(key)?.uid === pod.metadata.uid && (pod.spec?.nodeName ?? "") === "")
        return false;
      const freed = remove(key);
      if (pod === undefined || !takes(pod)) return freed;
      add(key, pod);
      return false;
    },
    bound(key, pod) {
      remove(key);
      add(key, pod);
    },
    taken: () => ({ ...sum, pods: known.size }),
  };
}
