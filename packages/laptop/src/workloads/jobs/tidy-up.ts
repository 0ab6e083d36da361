import type { Immutable } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import { isMissing } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { BY_CONTROLLER } from "../ownership/anchors.ts";
import { deletePods } from "../pods/delete-pods.ts";
import { isActive } from "../pods/pod-state.ts";
import { isTracked } from "./job-pod.ts";
import { letGo } from "./let-go.ts";

/**
 * What is left to do for a Job that is over: pods that nobody knew of when it ended, and in time the Job itself. Gives how long that
 * will be.
 */
export async function tidyUp(
  context: ReconcileContext<batch.Job>,
  job: Immutable<batch.Job>,
  endedAt: number,
): Promise<number | undefined> {
  const { client, cached, clock, ref, signal } = context;
  const { uid = "", resourceVersion = "", deletionTimestamp } = job.metadata;
  const left = cached(core.Pod).byIndex(BY_CONTROLLER, uid).filter(isTracked);
  await deletePods(context, job, left.filter(isActive));
  await letGo(context, left);

  const ttl = job.spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || deletionTimestamp !== undefined) return undefined;
  const ms = endedAt + ttl * 1000 - clock.now();
  if (ms > 0) return ms;
  try {
    const preconditions = { uid, resourceVersion };
    await client.for(batch.Job).delete(ref, { preconditions, propagation: "Foreground", signal });
  } catch (error) {
    if (!isMissing(error, batch.Job, ref)) throw error;
  }
  return undefined;
}
