import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { REASON } from "./reason.ts";
import type { Trouble } from "./verdict.ts";

type Pod = Immutable<core.Pod>;
type ContainerStatus = Immutable<core.ContainerStatus>;

/** The longest part of a node's message that is passed on. */
const MAX_DETAIL = 300;

/** What keeps pods from running, if anything does: what will not go away by waiting first, newest pods first. */
export function podTrouble(pods: readonly Pod[]): Trouble | undefined {
  const found = pods.flatMap(troubles);
  return found.find(({ failing }) => failing) ?? found[0];
}

function troubles(pod: Pod): readonly Trouble[] {
  const { name = "" } = pod.metadata;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") {
    const message = `pod ${name} has no node yet: ${detail(scheduled.message)}`;
    return [{ reason: scheduled.reason ?? "Unschedulable", message, failing: false }];
  }
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const told = (kind: string, status: ContainerStatus, trouble: Trouble | undefined): readonly Trouble[] =>
    trouble === undefined ? [] : [{ ...trouble, message: `pod ${name}, ${kind} ${status.name}: ${trouble.message}` }];
  return [
    ...initContainerStatuses.flatMap((status) => told("init container", status, initTrouble(pod, status))),
    ...containerStatuses.flatMap((status) => told("container", status, containerTrouble(pod, status))),
  ];
}

/** One that runs does its work and is not ready before it ends; a sidecar stays, and ends with its pod as it likes. */
function initTrouble(pod: Pod, status: ContainerStatus): Trouble | undefined {
  const { terminated, running } = status.state ?? {};
  const isSidecar = pod.spec?.initContainers?.find(({ name }) => name === status.name)?.restartPolicy === "Always";
  const isAsItShouldBe = isSidecar ? terminated !== undefined : running !== undefined;
  return isAsItShouldBe ? undefined : containerTrouble(pod, status);
}

function containerTrouble(pod: Pod, status: ContainerStatus): Trouble | undefined {
  const { waiting, terminated, running } = status.state ?? {};
  if (waiting !== undefined) return waitingTrouble(status, waiting);
  if (terminated !== undefined) {
    // It is started again; in a Job it is not, and the Job tells.
    return pod.spec?.restartPolicy === "Never" || terminated.exitCode === 0 ? undefined : crash(terminated);
  }
  if (running === undefined || status.ready) return undefined;
  const probe = status.started === true ? "readiness" : "startup";
  return { reason: REASON.notReady, message: `runs, and its ${probe} probe has not succeeded yet`, failing: false };
}

function waitingTrouble(
  { image, lastState }: ContainerStatus,
  { reason = "", message }: Immutable<core.ContainerStateWaiting>,
): Trouble | undefined {
  switch (reason) {
    case "":
    case "ContainerCreating":
    case "PodInitializing":
      return undefined;
    case "ErrImagePull":
    case "ImagePullBackOff": {
      // The two take turns; told as one, they do not make the condition flap.
      const why = detail(message?.replace(/^.*?ErrImagePull: /s, "").replace(/^Back-off pulling image "[^"]*"$/, ""));
      const text = `the image ${image} cannot be pulled${why === "" ? "" : `: ${why}`}`;
      return { reason: "ImagePullBackOff", message: text, failing: true };
    }
    case "CrashLoopBackOff":
      return crash(lastState?.terminated);
    default:
      return { reason, message: detail(message), failing: true };
  }
}

/** What a program wrote before it ended is left out: it may hold secrets. So is the time until the next start: it changes. */
function crash(last: Immutable<core.ContainerStateTerminated> | undefined): Trouble {
  const how = last === undefined ? "" : `, last with ${exit(last)}`;
  return { reason: "CrashLoopBackOff", message: `ends again and again${how}`, failing: true };
}

/** With which code a container ended, and why if the node says more than that it failed. */
export function exit({ exitCode, reason }: Immutable<core.ContainerStateTerminated>): string {
  return `code ${exitCode}${reason === undefined || reason === "Error" ? "" : ` (${reason})`}`;
}

/** A message of the cluster, shortened. Addresses lose what comes after a question mark: registries sign them. */
export function detail(message: string | undefined): string {
  const text = (message ?? "").replaceAll(/(https?:\/\/[^\s"?]*)\?[^\s"]*/g, "$1?...").trim();
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}...` : text;
}
