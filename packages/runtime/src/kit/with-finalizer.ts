import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { isMissing } from "../client/error-kinds.ts";
import type { ReconcileContext } from "../controller/definition.ts";
import { done } from "../controller/outcome.ts";
import type { Outcome } from "../controller/outcome.ts";
import { ensureFinalizer, removeFinalizer } from "./finalizer.ts";

/** What a controller does for objects that must not go before it has cleaned up after them. */
export interface FinalizerFlow<T extends ApiObject> {
  /** The controller's own kind. */
  readonly resource: Resource<T>;
  /** `example.com/cleanup`. */
  readonly finalizer: string;
  /** Runs only once the finalizer is stored, so that nothing it makes can be left behind. */
  reconcile(object: Immutable<T>): Promise<Outcome>;
  /**
   * Undoes what `reconcile` did, as often as it takes: `done` means that nothing is left, and only then may the object go. Must be
   * safe to repeat, and must go by the object's uid: another one may have its name already.
   */
  cleanup(object: Immutable<T>): Promise<Outcome>;
}

/**
 * One run for an object with a finalizer. Needs access to `patch` the kind. A conflict while the finalizer is written rejects, and
 * so leads to another run.
 */
export async function withFinalizer<T extends ApiObject>(
  context: Pick<ReconcileContext<T>, "object" | "ref" | "client" | "signal">,
  flow: FinalizerFlow<T>,
): Promise<Outcome> {
  const { object, ref, client, signal } = context;
  const { resource, finalizer } = flow;
  if (object === undefined) return done();
  if (object.metadata.deletionTimestamp === undefined) {
    let held: Immutable<T>;
    try {
      held = await ensureFinalizer(client, resource, object, finalizer, { signal });
    } catch (error) {
      if (isMissing(error, resource, ref)) return done();
      throw error;
    }
    return flow.reconcile(held);
  }
  if (object.metadata.finalizers?.includes(finalizer) !== true) return done();
  const outcome = await flow.cleanup(object);
  if (outcome.kind !== "done") return outcome;
  await removeFinalizer(client, resource, object, finalizer, { signal });
  return done();
}
