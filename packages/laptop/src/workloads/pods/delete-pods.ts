import type { ApiObject, Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { isMissing } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";

/**
 * Deletes just these versions of pods: one that has become ready meanwhile is no longer the one that was chosen (409). Rejects with
 * the first failure when all have been tried.
 */
export async function deletePods(
  { client, events, signal }: Pick<ReconcileContext<ApiObject>, "client" | "events" | "signal">,
  owner: Immutable<ApiObject>,
  pods: readonly Immutable<core.Pod>[],
): Promise<void> {
  const results = await Promise.allSettled(
    pods.map(async ({ metadata: { namespace = "", name = "", uid = "", resourceVersion = "" } }) => {
      const ref = { namespace, name };
      try {
        await client.for(core.Pod).delete(ref, { preconditions: { uid, resourceVersion }, signal });
        events.record(owner, { type: "Normal", reason: "SuccessfulDelete", note: `Deleted pod: ${name}` });
      } catch (error) {
        if (!isMissing(error, core.Pod, ref)) throw error;
      }
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
