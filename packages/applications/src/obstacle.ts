import { StatusError } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { Application } from "@gatewright/resources";
import { controllerOf, isForbidden, isInvalid, NotOwnedError } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { isQuota } from "./status/deployment-state.ts";
import { detail } from "./status/pod-trouble.ts";
import { REASON } from "./status/reason.ts";
import type { Trouble } from "./status/verdict.ts";

/**
 * What an error of an effect means for the user; undefined for one that says nothing of the Application (no answer, a conflict, a
 * server in trouble), which is just tried again.
 */
export function obstacleOf(
  error: unknown,
  app: Immutable<Application>,
  cached: ReconcileContext<Application>["cached"],
): Trouble | undefined {
  if (error instanceof NotOwnedError) {
    const held = cached(error.resource).get(error.ref);
    const holder = held && controllerOf(held);
    if (holder?.kind === Application.kind && holder.name === app.metadata.name) {
      const message = `${error.resource.kind} ${error.ref.name} of a deleted Application of this name is still going`;
      return { reason: REASON.cleaningUp, message, failing: false };
    }
    return { reason: REASON.nameTaken, message: error.message, failing: true };
  }
  if (!(error instanceof StatusError) || (!isForbidden(error) && !isInvalid(error))) return undefined;
  const message = detail(error.message);
  return { reason: isForbidden(error) && isQuota(message) ? REASON.quota : REASON.rejected, message, failing: true };
}
