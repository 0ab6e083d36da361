import type { ResourceState } from "../../engine/aws-kind.ts";
import type { Database } from "./database.ts";

const POLL_MS = 30_000;

const READY: ReadonlySet<string> = new Set([
  "available",
  "backing-up",
  "storage-optimization",
  "storage-initialization",
  "storage-config-upgrade",
]);

/** It serves badly or not at all, and what heals it is a change. */
const HEALED_BY_CHANGE: ReadonlyMap<string, string> = new Map([
  ["storage-full", "its storage is full: raise allocatedStorage"],
  ["incompatible-parameters", "its parameters do not fit its class or engine: use another dbParameterGroupName"],
]);

const FAILED: ReadonlyMap<string, string> = new Map([
  ["failed", "AWS cannot bring it back: restore it from a snapshot or a point in time"],
  ["stopped", "it is stopped: start it, or AWS does after seven days"],
  ["inaccessible-encryption-credentials", "its KMS key cannot be used any more: restore it from a backup"],
  ["inaccessible-encryption-credentials-recoverable", "its KMS key cannot be used: enable the key, then start it"],
  ["incompatible-create", "it cannot be made as it was asked for"],
  ["incompatible-credentials", "its credentials are not what RDS Custom needs"],
  ["incompatible-network", "its subnets, addresses or security groups do not let it run: mend the network"],
  ["incompatible-option-group", "its options do not fit: use another optionGroupName"],
  ["incompatible-restore", "the snapshot or point in time cannot be restored like this"],
  ["insufficient-capacity", "AWS has no capacity for this class: use another dbInstanceClass or zone"],
  ["restore-error", "the restore failed"],
  ["unsupported-configuration", "RDS Custom does not support what was made of it"],
]);

/** What AWS's statuses mean. One that is not known is AWS at work. */
export function databaseState({ status, id }: Database): ResourceState {
  if (READY.has(status)) return { is: "ready" };
  if (status === "deleting" || status === "delete-precheck") {
    return { is: "going", message: `${id} is being deleted`, pollMs: POLL_MS };
  }
  const remedy = HEALED_BY_CHANGE.get(status);
  if (remedy !== undefined) {
    return { is: "busy", message: `${id} is ${status}: ${remedy}`, pollMs: 2 * POLL_MS, changeable: true };
  }
  const failure = FAILED.get(status);
  if (failure !== undefined) return { is: "failed", message: `${id} is ${status}: ${failure}` };
  return { is: "busy", message: `${id} is ${status}`, pollMs: POLL_MS };
}
