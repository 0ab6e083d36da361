import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { done, isConflict, isMissing } from "@gatewright/runtime";
import type { ControllerDefinition, ReconcileContext } from "@gatewright/runtime";

export interface TestKubelet {
  /** Default: `node`. */
  readonly node?: string;
  /** Whether pods that ask for no node are taken. Default: true. */
  readonly binds?: boolean;
}

/**
 * What becomes of a pod, by its image: `run…` is ready at once, `succeed…` and `fail…` end at once, all others wait for their image
 * for good. Pods of other nodes are left alone.
 */
export function testKubelet({ node = "node", binds = true }: TestKubelet = {}): ControllerDefinition<core.Pod> {
  return {
    name: "kubelet",
    for: core.Pod,
    access: [
      { resource: core.Pod, verbs: ["delete"] },
      { resource: core.Pod, verbs: ["update"], subresource: "status" },
      { resource: core.Pod, verbs: ["create"], subresource: "binding" },
    ],
    concurrency: 8,
    async reconcile(context) {
      try {
        if (context.object !== undefined) await look(context, context.object, { node, binds });
      } catch (error) {
        if (!isConflict(error) && !isMissing(error, core.Pod, context.ref)) throw error;
      }
      return done();
    },
  };
}

async function look(
  { client, clock, ref, signal }: ReconcileContext<core.Pod>,
  pod: Immutable<core.Pod>,
  { node, binds }: Required<TestKubelet>,
): Promise<void> {
  const at = pod.spec?.nodeName;
  if (at === undefined ? !binds : at !== node) return;
  const { uid = "", deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const phase = pod.status?.phase;
  if (deletionTimestamp !== undefined) {
    if (deletionGracePeriodSeconds === 0) return;
    await client.for(core.Pod).delete(ref, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    return;
  }
  if (pod.spec === undefined || at === undefined) {
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name: ref.name }, target };
    await client.for(core.Pod).subresource("binding").create(ref, binding, { signal });
    return;
  }
  if (phase !== undefined && phase !== "Pending") return;
  const status = statusFor(pod.spec.containers[0]?.image ?? "", formatTime(clock.now()));
  if (status !== undefined) await client.for(core.Pod).status.update({ ...pod, status }, { signal });
}

function statusFor(image: string, now: string): core.PodStatus | undefined {
  const ended = (phase: "Succeeded" | "Failed", exitCode: number): core.PodStatus => ({
    phase,
    containerStatuses: [
      {
        name: "main",
        image,
        imageID: image,
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode, finishedAt: now } },
      },
    ],
  });
  if (image.startsWith("succeed")) return ended("Succeeded", 0);
  if (image.startsWith("fail")) return ended("Failed", 1);
  if (!image.startsWith("run")) return undefined;
  return { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: now }] };
}
