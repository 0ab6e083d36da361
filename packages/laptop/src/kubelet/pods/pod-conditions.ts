import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { PodPhase } from "./pod-phase.ts";
import { allContainers, isAlive, isSidecar, observedGeneration, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";

type Pod = Immutable<core.Pod>;
type Condition = Immutable<core.PodCondition>;
interface Fact {
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** The condition that tells of a pod that some of it is only played. */
export const SIMULATED = "gatewright.dev/Simulated";

export interface ConditionInputs {
  readonly phase: PodPhase;
  readonly containerStatuses: readonly Immutable<core.ContainerStatus>[];
  readonly initContainerStatuses: readonly Immutable<core.ContainerStatus>[];
  readonly now: number;
}

/** The conditions that the kubelet answers for. Pure: the time of one changes with its status only. */
export function podConditions(pod: Pod, run: PodRun, inputs: ConditionInputs): readonly Condition[] {
  const containers = containersReady(pod, inputs);
  const facts: [string, Fact][] = [
    ["PodReadyToStartContainers", sandbox(pod, run, inputs.phase)],
    ["Initialized", initialized(pod, inputs)],
    ["ContainersReady", containers],
    ["Ready", ready(pod, containers)],
  ];
  const played = whatIsPlayed(pod, run);
  if (played !== undefined) facts.push([SIMULATED, { status: "True", reason: "ImageNotRun", message: played }]);
  const generation = observedGeneration(pod, run);
  return facts.map(([type, fact]) => ({
    type,
    ...fact,
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: sinceWhen(pod, type, fact, inputs.now),
  }));
}

function sinceWhen({ status }: Pod, type: string, fact: Fact, now: number): string {
  const before = status?.conditions?.find((condition) => condition.type === type);
  return before?.status === fact.status ? (before.lastTransitionTime ?? formatTime(now)) : formatTime(now);
}

function sandbox(pod: Pod, run: PodRun, phase: PodPhase): Fact {
  const ended = phase === "Succeeded" || phase === "Failed";
  const dead = pod.metadata.deletionTimestamp !== undefined && !anyAlive(pod, run);
  return { status: ended || dead ? "False" : "True" };
}

function anyAlive(pod: Pod, run: PodRun): boolean {
  return allContainers(pod.spec).some(({ name }) => isAlive(runOf(run, name)));
}

function initialized({ spec }: Pod, { phase, initContainerStatuses }: ConditionInputs): Fact {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  const incomplete = (spec?.initContainers ?? []).filter((container, i) => {
    const status = initContainerStatuses[i];
    return isSidecar(container) ? status?.started !== true : status?.ready !== true;
  });
  if (incomplete.length === 0 || phase === "Running") return { status: "True" };
  const message = `containers with incomplete status: ${names(incomplete)}`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

function containersReady({ spec }: Pod, inputs: ConditionInputs): Fact {
  if (inputs.phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (inputs.phase === "Failed") return { status: "False", reason: "PodFailed" };
  const sidecars = (spec?.initContainers ?? []).filter(
    (container, i) => isSidecar(container) && inputs.initContainerStatuses[i]?.ready !== true,
  );
  const main = (spec?.containers ?? []).filter((_, i) => inputs.containerStatuses[i]?.ready !== true);
  const unready = [...sidecars, ...main];
  if (unready.length === 0) return { status: "True" };
  const message = `containers with unready status: ${names(unready)}`;
  return { status: "False", reason: "ContainersNotReady", message };
}

/** Containers, and what others say where the pod has gates for it. */
function ready({ spec, status }: Pod, containers: Fact): Fact {
  if (containers.status !== "True") return containers;
  const closed = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = status?.conditions?.find(({ type }) => type === conditionType);
    if (gate === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === "True") return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (closed.length === 0) return { status: "True" };
  return { status: "False", reason: "ReadinessGatesNotReady", message: closed.join(", ") };
}

function whatIsPlayed(pod: Pod, run: PodRun): string | undefined {
  const played = allContainers(pod.spec).filter(({ name }) => {
    const { state } = runOf(run, name);
    return state.kind === "running" && state.simulated;
  });
  // Once played, always played: containers that have ended were not real either.
  if (played.length === 0) return pod.status?.conditions?.find(({ type }) => type === SIMULATED)?.message;
  return `nothing really runs for ${played.map(({ name, image = "" }) => `${name} (${image})`).join(", ")}`;
}

function names(containers: readonly { readonly name: string }[]): string {
  return `[${containers.map(({ name }) => name).join(" ")}]`;
}
