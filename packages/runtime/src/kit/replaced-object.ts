import { conflict, StatusError } from "@gatewright/kube";
import type { ObjectRef, Resource } from "@gatewright/kube";
import { isInvalid } from "../client/error-kinds.ts";

/**
 * What a write means that was bound to an object's uid. The server calls it invalid when another object has got the name, but it is
 * a conflict: to be decided anew, not a mistake. Any other error is left as it is.
 */
export function replacedAsConflict(error: unknown, resource: Resource, ref: ObjectRef): unknown {
  if (!(error instanceof StatusError) || !isInvalid(error)) return error;
  if (error.details?.causes?.some(({ field }) => field === "metadata.uid") !== true) return error;
  return conflict({ group: resource.group, resource: resource.plural }, ref.name, "another object has its name now");
}
