import type { NodeAccess } from "@gatewright/apiserver";
import { keyOf, refOf } from "@gatewright/kube";
import type { Immutable, ObjectKey, ObjectRef } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { aborted } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { after, done, isConflict, isMissing } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import type { ContainerRuntime } from "../containers/container-runtime.ts";
import type { PodPorts } from "../network/cluster-network.ts";
import { nodeAccess } from "./node-access.ts";
import type { LaptopNode } from "./node/laptop-node.ts";
import { adoptRun, hasRun } from "./pods/adopt-run.ts";
import { configSource } from "./pods/config-source.ts";
import { deadlineOf, decide, lastMoment } from "./pods/decide.ts";
import type { Decision } from "./pods/decide.ts";
import { notes } from "./pods/notes.ts";
import { PodAddresses } from "./pods/pod-addresses.ts";
import { isTerminal } from "./pods/pod-phase.ts";
import { podStatus } from "./pods/pod-status.ts";
import { PodWorker } from "./pods/pod-worker.ts";
import { statusPatch } from "./pods/status-patch.ts";

type Pod = Immutable<core.Pod>;
type Context = ReconcileContext<core.Pod>;

export interface KubeletOptions {
  readonly node: LaptopNode;
  /** What runs containers: the first that accepts an image does. The last one should accept all. */
  readonly runtimes: readonly ContainerRuntime[];
  /** Where open ports of pods are told. */
  readonly ports: PodPorts;
  readonly clock: Clock;
  readonly random: Random;
}

/** The kubelet of the laptop: a controller of pods, and the way to their containers. */
export interface Kubelet {
  readonly controller: ControllerDefinition<core.Pod>;
  /** For `ApiServerOptions.nodes`. */
  readonly nodeAccess: NodeAccess;
}

/** Pods at once: starts wait for sockets and the server, and others should not wait for them. */
const CONCURRENCY = 16;
/** What is left of containers' time when the process stops. */
const STOP_MS = 2_000;
/** A pod whose containers end in the order of their time has at least so long. */
const LEAST_GRACE_MS = 2_000;

/**
 * Runs the pods of one node. What runs is in memory: a process that was killed forgets it, and the next one starts those containers
 * anew and counts a restart. When the controller stops, all containers are ended, and their pods are left as they were told last.
 */
export function kubelet(options: KubeletOptions): Kubelet {
  const { node, clock, random, ports, runtimes } = options;
  const workers = new Map<ObjectKey, PodWorker>();
  const byUid = new Map<string, PodWorker>();
  const addresses = new PodAddresses();
  const bell = createBell();
  let known = false;

  /** Addresses that pods have had before this process began must not be given to others. */
  const learnAddresses = (context: Context): void => {
    if (known) return;
    known = true;
    for (const { spec, status } of context.cached(core.Pod).list()) {
      if (spec?.nodeName === node.name && !isTerminal(status?.phase) && status?.podIP !== undefined)
        addresses.reserve(status.podIP);
    }
  };

  const adopt = (key: ObjectKey, pod: Pod): PodWorker => {
    const ip = pod.spec?.hostNetwork === true ? node.address : (pod.status?.podIP ?? addresses.allocate());
    const where = { podIP: ip, hostIP: node.address, nodeName: node.name, allocatable: node.capacity };
    const onHost = ip === node.address;
    const worker = new PodWorker(adoptRun(pod, ip, clock.now()), {
      clock,
      random,
      runtimes,
      ports: onHost ? closedPorts : ports,
      where,
      changed: () => bell.ring(refOf(key)),
    });
    if (hasRun(pod)) worker.note(notes.sandboxChanged);
    workers.set(key, worker);
    byUid.set(worker.run.uid, worker);
    return worker;
  };

  const forget = async (key: ObjectKey, worker: PodWorker): Promise<void> => {
    workers.delete(key);
    byUid.delete(worker.run.uid);
    await worker.destroy();
    addresses.release(worker.run.ip);
  };

  return {
    nodeAccess: nodeAccess((uid) => byUid.get(uid)),
    controller: {
      name: "kubelet",
      for: core.Pod,
      when: (pod, previous) =>
        pod === undefined ? previous?.spec?.nodeName === node.name : pod.spec?.nodeName === node.name,
      concurrency: CONCURRENCY,
      access: [
        { resource: core.Pod, verbs: ["delete"] },
        { resource: core.Pod, verbs: ["patch"], subresource: "status" },
        { resource: core.ConfigMap, verbs: ["get"] },
        { resource: core.Secret, verbs: ["get"] },
      ],
      sources: [
        async (enqueue, signal) => {
          await bell.answer(enqueue, signal);
          const left = [...workers.values()];
          workers.clear();
          byUid.clear();
          for (const { run } of left) addresses.release(run.ip);
          known = false;
          await Promise.all(left.map((worker) => worker.destroy(STOP_MS)));
        },
      ],
      async reconcile(context) {
        learnAddresses(context);
        const { key, object: pod } = context;
        const worker = workers.get(key);
        if (worker !== undefined && worker.run.uid !== pod?.metadata.uid) await forget(key, worker);
        if (pod === undefined || pod.spec?.nodeName !== node.name) return done();
        const mine = workers.get(key);
        if (mine === undefined && isTerminal(pod.status?.phase)) return remove(context, pod);
        const tended = mine ?? adopt(key, pod);
        try {
          return await tend(context, pod, tended, node);
        } finally {
          // The containers of all pods were ended meanwhile: what this run has started must not outlive them.
          if (context.signal.aborted && bell.silent) await forget(key, tended);
        }
      },
    },
  };
}

/** Brings one pod as far as it gets without waiting, and tells its status. */
async function tend(context: Context, pod: Pod, worker: PodWorker, node: LaptopNode): Promise<Outcome> {
  const { clock } = context;
  const decision = await act(context, pod, worker);
  for (const note of worker.takeNotes()) context.events.record(pod, note);
  const told = await tell(context, pod, podStatus(pod, worker.run, { hostIP: node.address, now: clock.now() }));
  if (decision.over) {
    if (isTerminal(told.status?.phase)) await worker.destroy();
    return remove(context, told);
  }
  return decision.wakeAt === undefined ? done() : after(Math.max(1, decision.wakeAt - clock.now()));
}

/** Starts and stops until there is nothing more to do now: the end of one container may be the beginning of the next. */
async function act(context: Context, pod: Pod, worker: PodWorker): Promise<Decision> {
  const { client, clock, signal } = context;
  const source = configSource(client, pod.metadata.namespace ?? "", signal);
  for (;;) {
    const now = clock.now();
    const deadline = deadlineOf(pod, worker.run);
    if (deadline !== undefined && deadline <= now && worker.run.failure === undefined) {
      const message = "Pod was active on the node longer than the specified deadline";
      worker.fail("DeadlineExceeded", message);
      worker.note(notes.deadline(message));
    }
    const decision = decide(pod, worker.run, now);
    for (const container of decision.stop) worker.stop(pod, container, timeLeft(pod, now));
    if (decision.stop.length === 0 && pod.metadata.deletionTimestamp !== undefined) worker.hurry(timeLeft(pod, now));
    await Promise.all(decision.start.map((container) => worker.start(pod, container, source)));
    if (decision.start.length === 0) return decision;
  }
}

/** How long containers of a pod have to end. The server tells the moment in whole seconds. */
function timeLeft(pod: Pod, now: number): number {
  const last = lastMoment(pod);
  const grace = 1000 * (pod.metadata.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30);
  if (last === undefined || grace === 0) return grace;
  return Math.max(LEAST_GRACE_MS, Math.min(grace, last + 1000 - now));
}

/** Writes what differs. Returns the pod as it is afterwards. */
async function tell(context: Context, pod: Pod, desired: Immutable<core.PodStatus>): Promise<Pod> {
  const patch = statusPatch(pod.status, desired);
  if (patch === undefined) return pod;
  const { client, ref, signal } = context;
  const body = { metadata: { uid: pod.metadata.uid }, status: patch };
  try {
    return await client.for(core.Pod).status.patch(ref, { strategic: body }, { signal });
  } catch (error) {
    // Another pod has its name, or none: the cache will tell.
    if (isConflict(error) || isMissing(error, core.Pod, ref)) return pod;
    throw error;
  }
}

/** Lets a deleted pod go, now that nothing of it runs. Finalizers may hold it still. */
async function remove({ client, ref, signal }: Context, pod: Pod): Promise<Outcome> {
  const { deletionTimestamp, deletionGracePeriodSeconds, uid } = pod.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return done();
  try {
    await client
      .for(core.Pod)
      .delete(ref, { gracePeriodSeconds: 0, ...(uid !== undefined && { preconditions: { uid } }), signal });
  } catch (error) {
    if (!isConflict(error) && !isMissing(error, core.Pod, ref)) throw error;
  }
  return done();
}

/** Ports of the host itself: pods on the host's network are not reached through the cluster's. */
const closedPorts: PodPorts = { publish() {}, withdraw() {} };

/** Rings for pods in which something has happened, also before anybody listens. */
function createBell(): {
  /** Nobody listens. */
  readonly silent: boolean;
  ring(ref: ObjectRef): void;
  /** Hands on what rings until the signal aborts. */
  answer(enqueue: (ref: ObjectRef) => void, signal: AbortSignal): Promise<void>;
} {
  const waiting = new Map<ObjectKey, ObjectRef>();
  let hear: ((ref: ObjectRef) => void) | undefined;
  return {
    get silent() {
      return hear === undefined;
    },
    ring(ref) {
      if (hear === undefined) waiting.set(keyOf(ref), ref);
      else hear(ref);
    },
    async answer(enqueue, signal) {
      hear = enqueue;
      for (const ref of waiting.values()) enqueue(ref);
      waiting.clear();
      await aborted(signal);
      hear = undefined;
    },
  };
}
