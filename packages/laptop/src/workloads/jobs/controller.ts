import type { Immutable, ObjectRef } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import { after, controllerOf, done, watching } from "@gatewright/runtime";
import type { CacheReader, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { BY_CONTROLLER, BY_ORPHAN, BY_SELECTOR, byController, byOrphan, selectorAnchor } from "../ownership/anchors.ts";
import { claimersOf } from "../ownership/claims.ts";
import { createPodMaker } from "../pods/pod-maker.ts";
import { podMatters } from "../pods/pod-matters.ts";
import { hasEnded } from "../pods/pod-state.ts";
import { finishedAt } from "./conditions.ts";
import { FailureMemory } from "./failure-memory.ts";
import { BY_JOB, byJob, isTracked } from "./job-pod.ts";
import { letGoOfOrphans } from "./let-go.ts";
import { runJob } from "./run-job.ts";
import type { JobMemory } from "./run-job.ts";
import { tidyUp } from "./tidy-up.ts";

type Job = Immutable<batch.Job>;
type Pod = Immutable<core.Pod>;

const OWN_CONTROLLER = "kubernetes.io/job-controller";

/**
 * Runs the pods of Jobs to completion, as kube-controller-manager does, and deletes Jobs that have been over for as long as they say.
 * Each pod is counted once, whatever was lost on the way.
 *
 * Not done: `backoffLimitPerIndex` and `maxFailedIndexes` (the backoff limit of the whole Job applies).
 */
export function jobs(): ControllerDefinition<batch.Job> {
  const memory: JobMemory = { maker: createPodMaker<batch.Job>(standing), failures: new FailureMemory() };
  // Until the first run every Job waits in the queue anyway, so no orphan needs to lead to one.
  let known: CacheReader<batch.Job> | undefined;
  const jobsOf = (pod: Pod): readonly ObjectRef[] => {
    const { namespace = "" } = pod.metadata;
    const owner = controllerOf(pod);
    if (owner?.kind === "Job" && owner.apiVersion.startsWith("batch/")) return [{ namespace, name: owner.name }];
    const tracked = byJob(pod).map((key) => ({ namespace, name: key.slice(namespace.length + 1) }));
    return known === undefined ? tracked : [...tracked, ...claimersOf(pod, known, selectorIn)];
  };
  return {
    name: "jobs",
    for: batch.Job,
    indexes: { [BY_SELECTOR]: jobsBySelector },
    watches: [
      watching(core.Pod, {
        map: jobsOf,
        when: podMatters,
        indexes: { [BY_CONTROLLER]: byController, [BY_ORPHAN]: byOrphan, [BY_JOB]: byJob },
      }),
    ],
    sources: [async () => memory.maker.newTerm()],
    access: [
      { resource: core.Pod, verbs: ["create", "patch", "delete"] },
      { resource: batch.Job, verbs: ["delete"] },
      { resource: batch.Job, verbs: ["update"], subresource: "status" },
    ],
    concurrency: 8,
    async reconcile(context) {
      known ??= context.cached(batch.Job);
      await letGoOfOrphans(context);
      if (context.object !== undefined) return reconcile(context, context.object, memory);
      memory.maker.forget(context.key);
      memory.failures.forget(context.key);
      return done();
    },
  };
}

async function reconcile(context: ReconcileContext<batch.Job>, job: Job, memory: JobMemory): Promise<Outcome> {
  if ((job.spec?.managedBy ?? OWN_CONTROLLER) !== OWN_CONTROLLER) return done();
  const ended = finishedAt(job);
  const { outcome, waitMs } =
    ended === undefined
      ? await runJob(context, job, memory)
      : { outcome: undefined, waitMs: await tidyUp(context, job, ended) };
  if (outcome !== undefined) return outcome;
  return waitMs === undefined ? done() : after(waitMs);
}

/** A cache that shows any of this otherwise than the server has it could count a pod twice, or make one too many. */
function standing(pod: Pod): string {
  return `${isTracked(pod)} ${hasEnded(pod)} ${pod.metadata.deletionTimestamp !== undefined}`;
}

function selectorIn({ spec }: Job): Immutable<batch.JobSpec>["selector"] | undefined {
  return spec?.selector;
}

function jobsBySelector(job: Job): readonly string[] {
  const selector = selectorIn(job);
  return selector === undefined ? [] : [selectorAnchor(job.metadata.namespace ?? "", selector)];
}
