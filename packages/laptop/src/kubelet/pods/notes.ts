import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { EventNote } from "@gatewright/runtime";
import type { ProbeKind } from "../probes/probe-container.ts";
import { podText } from "./container-status.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;

const normal = (reason: string, note: string): EventNote => ({ type: "Normal", reason, note });
const warning = (reason: string, note: string): EventNote => ({ type: "Warning", reason, note });

/** What the kubelet tells of a pod in events, in the words of the real one where it has them. */
export const notes = {
  present: ({ image = "" }: Container) => normal("Pulled", `Container image "${image}" already present on machine`),
  simulated: ({ name, image = "" }: Container) =>
    normal("Simulated", `Image "${image}" is not run on this machine: container ${name} is simulated`),
  created: ({ name }: Container) => normal("Created", `Created container: ${name}`),
  started: ({ name }: Container) => normal("Started", `Started container ${name}`),
  pullFailed: ({ image = "" }: Container, message: string): readonly EventNote[] => [
    warning("Failed", `Failed to pull image "${image}": ${message}`),
    warning("Failed", "Error: ErrImagePull"),
    normal("BackOff", `Back-off pulling image "${image}"`),
    warning("Failed", "Error: ImagePullBackOff"),
  ],
  invalidImage: (message: string): readonly EventNote[] => [
    warning("InspectFailed", message),
    warning("Failed", "Error: InvalidImageName"),
  ],
  failed: (message: string) => warning("Failed", `Error: ${message}`),
  failedMount: (message: string) => warning("FailedMount", message),
  backOff: (pod: Pod, { name }: Container) =>
    warning("BackOff", `Back-off restarting failed container ${name} in pod ${podText(pod)}`),
  unhealthy: (kind: ProbeKind, output: string) => warning("Unhealthy", `${kind} probe failed: ${output}`),
  killing: ({ name }: Container) => normal("Killing", `Stopping container ${name}`),
  killingUnhealthy: ({ name }: Container, kind: ProbeKind) =>
    normal("Killing", `Container ${name} failed ${kind.toLowerCase()} probe, will be restarted`),
  preStopFailed: (output: string) => warning("FailedPreStopHook", `PreStopHook failed: ${output}`),
  sandboxChanged: normal("SandboxChanged", "Pod sandbox changed, it will be killed and re-created."),
  deadline: (message: string) => warning("DeadlineExceeded", message),
};
