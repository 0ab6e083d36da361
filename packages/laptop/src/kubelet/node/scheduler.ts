import { formatTime, keyOf, refOf } from "@gatewright/kube";
import type { Immutable, ObjectKey, ObjectRef } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { aborted } from "@gatewright/ports";
import { done, isConflict, isMissing, watching } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { misfit } from "./fit.ts";
import type { LaptopNode } from "./laptop-node.ts";
import { createNodeLedger } from "./node-ledger.ts";

type Pod = Immutable<core.Pod>;
type Context = ReconcileContext<core.Pod>;

const OURS = "default-scheduler";
const NOT_READY = "node.kubernetes.io/not-ready";

/**
 * Puts pods that have no node on the one there is, if it has what they ask for. Pods with scheduling gates or another scheduler are
 * left alone. Pods that do not fit wait until another goes or the node changes.
 */
export function scheduler(node: LaptopNode): ControllerDefinition<core.Pod> {
  const ledger = createNodeLedger(node.name);
  const waiting = new Set<ObjectKey>();
  let again: (ref: ObjectRef) => void = () => {};

  const unfit = async (context: Context, pod: Pod, message: string): Promise<Outcome> => {
    waiting.add(context.key);
    if (scheduledCondition(pod)?.message === message) return done();
    context.events.record(pod, { type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: message });
    const condition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      lastTransitionTime: formatTime(context.clock.now()),
    };
    await context.client.for(core.Pod).status.patch(context.ref, {
      strategic: { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } },
    });
    return done();
  };

  return {
    name: "scheduler",
    for: core.Pod,
    when: (pod, previous) => pod === undefined || previous === undefined || matters(pod, previous),
    // A pod that waits may fit a node that has changed.
    watches: [watching(core.Node, { map: () => [...waiting].map(refOf), when: nodeChanged })],
    sources: [
      async (enqueue, signal) => {
        again = enqueue;
        await aborted(signal);
      },
    ],
    access: [
      { resource: core.Pod, verbs: ["create"], subresource: "binding" },
      { resource: core.Pod, verbs: ["patch"], subresource: "status" },
    ],
    async reconcile(context) {
      const { key, object: pod } = context;
      ledger.fill(context.cached(core.Pod));
      if (ledger.update(key, pod)) for (const other of waiting) again(refOf(other));
      if (pod === undefined || !isOurs(pod)) {
        waiting.delete(key);
        return done();
      }
      const there = context.cached(core.Node).get({ name: node.name });
      if (there === undefined || isComing(there)) {
        waiting.add(key);
        return done();
      }
      const problem = misfit(pod, there, ledger.taken());
      if (problem !== undefined) return unfit(context, pod, problem);
      waiting.delete(key);
      await bind(context, pod, node.name);
      ledger.bound(key, pod);
      return done();
    },
  };
}

/** Whether there is something to decide: no node yet, and nothing that says that it is too early or somebody else's work. */
function isOurs({ metadata, spec }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    (spec?.nodeName ?? "") === "" &&
    (spec?.schedulerName ?? OURS) === OURS &&
    (spec?.schedulingGates ?? []).length === 0
  );
}

/** The one node there is has just been made: pods that came with it wait for it without a word. */
function isComing({ spec, status }: Immutable<core.Node>): boolean {
  return status?.allocatable === undefined || spec?.taints?.some(({ key }) => key === NOT_READY) === true;
}

function matters(pod: Pod, previous: Pod): boolean {
  return (
    pod.spec?.nodeName !== previous.spec?.nodeName ||
    pod.status?.phase !== previous.status?.phase ||
    pod.metadata.uid !== previous.metadata.uid ||
    ((pod.spec?.nodeName ?? "") === "" && pod.metadata.generation !== previous.metadata.generation)
  );
}

function nodeChanged(node: Immutable<core.Node> | undefined, previous: Immutable<core.Node> | undefined): boolean {
  return (
    node?.metadata.labels !== previous?.metadata.labels ||
    node?.spec !== previous?.spec ||
    node?.status?.allocatable !== previous?.status?.allocatable
  );
}

function scheduledCondition({ status }: Pod): Immutable<core.PodCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === "PodScheduled");
}

async function bind({ client, ref, signal, events }: Context, pod: Pod, node: string): Promise<void> {
  const binding = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name: ref.name, uid: pod.metadata.uid },
    target: { apiVersion: "v1", kind: "Node", name: node },
  };
  try {
    await client.for(core.Pod).subresource("binding").create(ref, binding, { signal });
  } catch (error) {
    // It has gone, is going, or is bound already though the cache does not show it: its next change tells.
    if (isConflict(error) || isMissing(error, core.Pod, ref)) return;
    throw error;
  }
  const note = `Successfully assigned ${keyOf(ref)} to ${node}`;
  events.record(pod, { type: "Normal", reason: "Scheduled", action: "Binding", note });
}
