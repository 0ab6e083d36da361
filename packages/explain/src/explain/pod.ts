import { podTrouble } from "@gatewright/applications/pod-trouble";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { NextStep } from "../answer.ts";
import type { Cause } from "../chain.ts";
import { conditionState } from "../condition-state.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { link } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { core as kinds } from "@gatewright/kube/api";

type Pod = Immutable<core.Pod>;

const WORDS = ["kubernetes", "applications", "found"] as const;

/** How a pod is: scheduled, its images pulled, its containers running and ready. */
export function podLink({ now }: Pick<Known, "now">, pod: Pod): Cause {
  const { metadata, status } = pod;
  const { namespace = "", name = "" } = metadata;
  const subject = subjectOf(kinds.Pod, { namespace, name });
  const about = { title: `Pod ${name}`, subject, words: WORDS };
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const since = ready?.lastTransitionTime ?? metadata.creationTimestamp ?? undefined;
  if (metadata.deletionTimestamp !== undefined) {
    return link({ ...about, state: "waiting", reason: "Deleting", message: "It is ending.", since });
  }
  if (status?.phase === "Succeeded" || ready?.status === "True") {
    const message = status?.phase === "Succeeded" ? "It ran to completion." : "Ready.";
    return link({ ...about, state: "ok", message, since });
  }
  const trouble = podTrouble([pod]);
  if (trouble !== undefined) {
    const { reason, failing } = trouble;
    const container = /^pod [^ ,]+, (?:init )?container ([^:]+): /.exec(trouble.message)?.[1];
    const message = sentence(
      trouble.message.replace(/^pod [^ ,]+(?:, | (?=has ))/, container === undefined ? "it " : ""),
    );
    const condition = {
      type: "Ready",
      status: "False",
      reason,
      ...(since !== undefined && { lastTransitionTime: since }),
    };
    const state = failing ? "broken" : conditionState(condition, undefined, WORDS, now);
    return link({ ...about, state, reason, message, since, also: moreOf(pod, reason, container) });
  }
  if (status?.phase === "Failed") {
    const message = status.message ?? "It failed, and is not started again.";
    return link({
      ...about,
      state: "broken",
      reason: status.reason ?? "Error",
      message,
      since,
      also: moreOf(pod, "Error"),
    });
  }
  const gate = status?.conditions?.find(({ type, status: held }) => type !== "Ready" && held === "False");
  const message = gate?.message ?? "It is starting.";
  return link({
    ...about,
    state: "waiting",
    reason: gate?.reason ?? "ContainerCreating",
    message: sentence(message),
    since,
  });
}

/** Where to look: what a container said before it ended, or all that the cluster knows. `container`: the one in trouble, if known. */
function moreOf(pod: Pod, reason: string, container?: string): readonly NextStep[] {
  const { namespace = "", name = "" } = pod.metadata;
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  // Sidecars are among the init containers, and end because others did: they come last.
  const statuses = [...containerStatuses, ...initContainerStatuses];
  const undone = statuses.filter(({ ready, state }) => !ready && state?.terminated?.exitCode !== 0);
  const failed =
    statuses.find((each) => each.name === container) ??
    undone.find(({ state }) => state?.terminated !== undefined) ??
    undone[0];
  const describe = {
    text: "See all of it, with its events.",
    command: kubectl.describe(subjectOf(kinds.Pod, { namespace, name })),
  };
  if (failed === undefined) return [describe];
  const previous = reason === "CrashLoopBackOff";
  const hasRun = failed.state?.running !== undefined || failed.state?.terminated !== undefined || previous;
  const logs = { text: "Read its log.", command: kubectl.logs(namespace, name, failed.name, previous) };
  return hasRun ? [logs, describe] : [describe];
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const capital = trimmed[0]!.toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
