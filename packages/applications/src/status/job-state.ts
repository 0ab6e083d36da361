import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import { isCurrent } from "../children/job.ts";
import { detail, exit, podTrouble } from "./pod-trouble.ts";
import { REASON } from "./reason.ts";
import type { Fact, Trouble, Verdict } from "./verdict.ts";

/**
 * Whether this spec ran to completion already, as the status remembers. It stays so when the Job is deleted: what is to happen once
 * does not happen again because somebody cleaned up.
 */
export function hasSucceeded({ metadata, status }: Immutable<Application>): boolean {
  return status?.phase === "Succeeded" && status.observedGeneration === metadata.generation;
}

/** How an Application is that runs to completion. `obstacle`: what kept its Job from being made. */
export function judgeJob(
  app: Immutable<Application>,
  job: Immutable<batch.Job> | undefined,
  pods: readonly Immutable<core.Pod>[],
  obstacle: Trouble | undefined,
): Verdict {
  if (job === undefined) return hasSucceeded(app) ? SUCCEEDED : waiting(obstacle, "the Job is not there yet");
  if (!isCurrent(job, app)) return waiting(obstacle, "the Job of the spec before this one is stopped first");
  const { active = 0, ready = 0, succeeded = 0, failed = 0, conditions = [] } = job.status ?? {};
  const holds = (type: string) => conditions.find((each) => each.type === type && each.status === "True");
  if (holds("Complete") !== undefined) return SUCCEEDED;
  const failure = holds("Failed");
  const numbers = { replicas: active, updatedReplicas: active, readyReplicas: ready };
  if (failure !== undefined) {
    const fact = no(failure.reason ?? "JobFailed", `${detail(failure.message)}${lastEnding(pods)}`);
    return { phase: "Failed", failing: true, ...numbers, ready: fact, progressing: fact };
  }
  const wanted = app.spec.replicas;
  const count = `${succeeded} of ${wanted} pods have succeeded${failed > 0 ? `, ${failed} have failed` : ""}`;
  const trouble = obstacle ?? podTrouble(pods);
  const failing = trouble?.failing === true;
  const [reason, message] = [trouble?.reason ?? REASON.running, trouble?.message ?? count];
  return {
    phase: failing ? "Failed" : ready > 0 ? "Running" : "Pending",
    failing,
    ...numbers,
    ready: no(reason, message),
    progressing: { status: obstacle === undefined ? "True" : "False", reason, message },
  };
}

const NONE = { replicas: 0, updatedReplicas: 0, readyReplicas: 0 } as const;

const SUCCEEDED: Verdict = {
  phase: "Succeeded",
  failing: false,
  ...NONE,
  ready: { status: "True", reason: REASON.succeeded, message: "ran to completion" },
  progressing: { status: "False", reason: REASON.succeeded, message: "ran to completion" },
};

function waiting(obstacle: Trouble | undefined, message: string): Verdict {
  const fact = no(obstacle?.reason ?? REASON.starting, obstacle?.message ?? message);
  const progressing: Fact = obstacle === undefined ? { ...fact, status: "True" } : fact;
  const failing = obstacle?.failing === true;
  return { phase: failing ? "Failed" : "Pending", failing, ...NONE, ready: fact, progressing };
}

function no(reason: string, message: string): Fact {
  return { status: "False", reason, message };
}

/** How the newest pod that failed ended. */
function lastEnding(pods: readonly Immutable<core.Pod>[]): string {
  for (const { metadata, status } of pods) {
    for (const { name, state } of status?.containerStatuses ?? []) {
      const { terminated } = state ?? {};
      if (terminated === undefined || terminated.exitCode === 0) continue;
      return `; pod ${metadata.name}, container ${name} ended with ${exit(terminated)}`;
    }
  }
  return "";
}
