import { hash } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import type { QueueRecord } from "./records.ts";
import { queueKey } from "./store.ts";

/** What a receipt handle says: which message of the queue, and which receive of it. */
export interface Receipt {
  readonly sequence: string;
  readonly receipt: string;
}

/** Handles are opaque to clients and name their queue, so that no other queue takes them. */
export function receiptHandle(queue: QueueRecord, { sequence, receipt }: Receipt): string {
  return Buffer.from(`${fingerprint(queue)}.${sequence}.${receipt}`).toString("base64");
}

/** Reads a handle of a queue; refuses what is none. */
export function readHandle(queue: QueueRecord, handle: string): Receipt {
  const [of, sequence, receipt, ...more] = Buffer.from(handle, "base64").toString().split(".");
  if (
    of === fingerprint(queue) &&
    sequence !== undefined &&
    /^\d{20}$/.test(sequence) &&
    receipt !== undefined &&
    more.length === 0
  ) {
    return { sequence, receipt };
  }
  throw new AwsError(
    "ReceiptHandleIsInvalid",
    `The input receipt handle "${handle.slice(0, 128)}" is not a valid receipt handle.`,
    { status: 404 },
  );
}

function fingerprint(queue: QueueRecord): string {
  return hash("sha256", `${queueKey(queue)}|${queue.createdAt}`, "hex").slice(0, 24);
}
