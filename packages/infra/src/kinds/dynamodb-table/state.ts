import type { ResourceState } from "../../engine/aws-kind.ts";
import type { Table } from "./table.ts";

const POLL_MS = 5_000;
const INDEX_POLL_MS = 20_000;

/** What AWS's statuses mean. One that is not known is AWS at work. */
export function tableState({ name, status, indexes, encrypting }: Table): ResourceState {
  switch (status) {
    case "ACTIVE": {
      if (encrypting !== undefined) {
        return { is: "busy", message: `encryption of ${name} is ${encrypting}`, pollMs: POLL_MS };
      }
      const working = indexes.find((index) => index.status !== "ACTIVE");
      if (working === undefined) return { is: "ready" };
      return {
        is: "busy",
        message: `index ${working.name} of ${name} is ${working.status}`,
        pollMs: INDEX_POLL_MS,
      };
    }
    case "DELETING":
      return { is: "going", message: `${name} is being deleted`, pollMs: POLL_MS };
    case "INACCESSIBLE_ENCRYPTION_CREDENTIALS":
      return {
        is: "failed",
        message: `${name} cannot use its KMS key: enable the key and let DynamoDB use it. After seven days without it AWS archives the table.`,
      };
    case "ARCHIVING":
    case "ARCHIVED":
      return {
        is: "failed",
        message: `${name} is ${status}: its KMS key was gone for too long. Restore it from a backup.`,
      };
    default:
      return { is: "busy", message: `${name} is ${status}`, pollMs: indexes.length > 0 ? INDEX_POLL_MS : POLL_MS };
  }
}
