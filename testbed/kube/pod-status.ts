/** What a node needs to know of a pod. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string; readonly controller?: boolean }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
    readonly initContainers?: readonly {
      readonly name: string;
      readonly image: string;
      readonly restartPolicy?: string;
    }[];
  };
  readonly status?: { readonly phase?: string };
}

const CONDITIONS = ["PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"];

/** The status of a pod all of whose containers do what is hoped for: run, or, in the pod of a Job, have ended well. */
export function podStatus(pod: Pod, address: string, now: string): object {
  const completes = (pod.metadata.ownerReferences ?? []).some(
    ({ kind, controller }) => kind === "Job" && controller === true,
  );
  const ended = { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } };
  const runs = { running: { startedAt: now } };
  const container = (spec: { readonly name: string; readonly image: string }, ends: boolean): object => ({
    name: spec.name,
    image: spec.image,
    imageID: "",
    containerID: `stand-in://${spec.name}`,
    restartCount: 0,
    ready: !ends,
    started: !ends,
    state: ends ? ended : runs,
  });
  return {
    phase: completes ? "Succeeded" : "Running",
    startTime: now,
    hostIP: "192.0.2.2",
    podIP: address,
    podIPs: [{ ip: address }],
    conditions: CONDITIONS.map((type) => ({
      type,
      status: completes && type !== "Initialized" ? "False" : "True",
      lastTransitionTime: now,
      ...(completes && { reason: "PodCompleted" }),
    })),
    containerStatuses: pod.spec.containers.map((spec) => container(spec, completes)),
    ...(pod.spec.initContainers && {
      initContainerStatuses: pod.spec.initContainers.map((spec) => container(spec, spec.restartPolicy !== "Always")),
    }),
  };
}
