import { createHash } from "node:crypto";
import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { PULL_ERROR_SHOWN_MS } from "./decide.ts";
import type { ContainerRun, Ended } from "./container-run.ts";
import { restartsAfter } from "./pod-run.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;

/** A container as `kubectl get pod -o yaml` shows it. Pure. `ending`: nothing of the pod is started any more. */
export function containerStatus(
  pod: Pod,
  container: Container,
  run: ContainerRun,
  at: { readonly now: number; readonly ending: boolean },
): Immutable<core.ContainerStatus> {
  const { state, last, restarts } = run;
  const prepares = pod.spec?.initContainers?.includes(container) === true && container.restartPolicy !== "Always";
  const { shown, lastState } = shownState(pod, container, run, at);
  const id = state.kind === "running" ? state.containerID : (state.kind === "ended" ? state.end : last)?.containerID;
  const done = prepares && state.kind === "ended" && state.end.exitCode === 0;
  return {
    name: container.name,
    image: container.image ?? "",
    imageID: id === undefined ? "" : imageId(container.image ?? ""),
    ...(id !== undefined && id !== "" && { containerID: id }),
    restartCount: restarts,
    ready: done || (state.kind === "running" && !prepares && state.ready),
    started: state.kind === "running" && state.started,
    state: shown,
    lastState: lastState === undefined ? {} : { terminated: terminated(lastState) },
  };
}

function shownState(
  pod: Pod,
  container: Container,
  { state, last }: ContainerRun,
  { now, ending }: { readonly now: number; readonly ending: boolean },
): { readonly shown: Immutable<core.ContainerState>; readonly lastState: Ended | undefined } {
  const waiting = (reason: string, message?: string): Immutable<core.ContainerState> => ({
    waiting: { reason, ...(message !== undefined && { message }) },
  });
  switch (state.kind) {
    case "idle": {
      const prepared = (pod.spec?.initContainers ?? []).length > 0;
      return { shown: waiting(prepared ? "PodInitializing" : "ContainerCreating"), lastState: last };
    }
    case "starting":
      return { shown: waiting("ContainerCreating"), lastState: last };
    case "held":
      return state.reason === "ErrImagePull" && now >= state.at + PULL_ERROR_SHOWN_MS
        ? { shown: waiting("ImagePullBackOff", pullBackOff(container, state.message)), lastState: last }
        : { shown: waiting(state.reason, state.message), lastState: last };
    case "running":
      return { shown: { running: { startedAt: formatTime(state.startedAt) } }, lastState: last };
    case "ended":
      return !ending && restartsAfter(pod.spec, container, state.end.exitCode) && state.restartAt > now
        ? { shown: waiting("CrashLoopBackOff", crashBackOff(pod, container, state.backOffMs)), lastState: state.end }
        : { shown: { terminated: terminated(state.end) }, lastState: last };
  }
}

function terminated({
  exitCode,
  reason,
  message,
  startedAt,
  finishedAt,
  containerID,
}: Ended): core.ContainerStateTerminated {
  return {
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    startedAt: formatTime(startedAt),
    finishedAt: formatTime(finishedAt),
    ...(containerID !== "" && { containerID }),
  };
}

/** A pod in messages: `web_default(4f1c…)`. */
export function podText({ metadata: { name = "", namespace = "", uid = "" } }: Pod): string {
  return `${name}_${namespace}(${uid})`;
}

function crashBackOff(pod: Pod, { name }: Container, ms: number): string {
  return `back-off ${goDuration(ms)} restarting failed container=${name} pod=${podText(pod)}`;
}

function pullBackOff({ image = "" }: Container, message = ""): string {
  return `Back-off pulling image "${image}": ErrImagePull: ${message}`;
}

/** `10s`, `2m40s`, `5m0s`. */
function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

const imageIds = new Map<string, string>();
const MOST_IMAGES = 1000;

/** There are no layers to be identified, so an image is identified by its name. */
function imageId(image: string): string {
  const known = imageIds.get(image);
  if (known !== undefined) return known;
  const id = `${image.split("@", 1)[0]?.replace(/:[^:/]*$/, "") ?? ""}@sha256:${createHash("sha256").update(image).digest("hex")}`;
  if (imageIds.size < MOST_IMAGES) imageIds.set(image, id);
  return id;
}
