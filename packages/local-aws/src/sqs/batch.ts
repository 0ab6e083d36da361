import type { BatchResultErrorEntry } from "@gatewright/aws-wire/types/sqs";
import { AwsError } from "../aws-error.ts";
import { sqsError } from "./refusals.ts";

const MOST = 10;
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/** Refuses batches that are wrong as a whole. `kind` is the name of their entries. */
export function checkBatch(entries: readonly { readonly Id: string }[], kind: string): void {
  if (entries.length === 0) throw sqsError("EmptyBatchRequest", `There should be at least one ${kind} in the request.`);
  if (entries.length > MOST) {
    throw sqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${MOST}. You have sent ${entries.length}.`,
    );
  }
  const seen = new Set<string>();
  for (const { Id: id } of entries) {
    if (!ID.test(id)) {
      throw sqsError(
        "InvalidBatchEntryId",
        "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
      );
    }
    if (seen.has(id)) throw sqsError("BatchEntryIdsNotDistinct", `Id ${id} repeated.`);
    seen.add(id);
  }
}

/** What became of each entry: one that is refused leaves the others alone. */
export function eachEntry<Entry extends { readonly Id: string }, Done>(
  entries: readonly Entry[],
  attempt: (entry: Entry) => Done,
): { readonly done: readonly Done[]; readonly Failed: readonly BatchResultErrorEntry[] } {
  const done: Done[] = [];
  const Failed: BatchResultErrorEntry[] = [];
  for (const entry of entries) {
    try {
      done.push(attempt(entry));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: error.status < 500, Code: error.code, Message: error.message });
    }
  }
  return { done, Failed };
}
