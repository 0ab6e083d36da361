import { StatusError } from "@gatewright/kube";
import { isConflict } from "@gatewright/runtime";

/** Codes that tell of a moment in which the server could not say, or of haste. */
const PASSING: ReadonlySet<number> = new Set([429, 503, 504]);

/** Whether the server refused a write for a reason that users should hear of: quotas, policies, webhooks that fail. */
export function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && !PASSING.has(error.code) && !isConflict(error);
}
