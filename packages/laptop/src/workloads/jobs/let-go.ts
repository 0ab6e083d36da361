import type { Immutable } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import { controllerOf, isMissing } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { BY_JOB, TRACKING } from "./job-pod.ts";

type Context = ReconcileContext<batch.Job>;
type Pods = readonly Immutable<core.Pod>[];

/** Takes the finalizer off pods; gives those that are left. Rejects with the first failure when all have been tried. */
export async function letGo({ client, signal }: Pick<Context, "client" | "signal">, pods: Pods): Promise<Pods> {
  const results = await Promise.allSettled(
    pods.map(async ({ metadata: { namespace = "", name = "", uid } }) => {
      const ref = { namespace, name };
      const metadata = { "$deleteFromPrimitiveList/finalizers": [TRACKING], uid };
      try {
        return [await client.for(core.Pod).patch(ref, { strategic: { metadata } }, { signal })];
      } catch (error) {
        if (!isMissing(error, core.Pod, ref)) throw error;
        return [];
      }
    }),
  );
  return results.flatMap((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Lets go of the pods that no Job will count any more: theirs is gone, or another one has got its name. */
export async function letGoOfOrphans(context: Context): Promise<void> {
  const { client, cached, key, ref, object, signal } = context;
  const orphans = cached(core.Pod)
    .byIndex(BY_JOB, key)
    .filter((pod) => object === undefined || !isOf(pod, object));
  if (orphans.length === 0) return;
  const live = await client.for(batch.Job).find(ref, { signal });
  await letGo(
    context,
    orphans.filter((pod) => live === undefined || !isOf(pod, live)),
  );
}

/** Controlled by the Job; or by nobody, but made for it, so that it will be adopted again. */
function isOf(pod: Immutable<core.Pod>, { metadata: { uid } }: Immutable<batch.Job>): boolean {
  const owner = controllerOf(pod)?.uid ?? pod.metadata.labels?.["batch.kubernetes.io/controller-uid"];
  return owner === uid;
}
