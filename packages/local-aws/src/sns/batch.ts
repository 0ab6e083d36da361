import { AwsError } from "../aws-error.ts";

const MOST = 10;
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/** Refuses batches that are wrong as a whole. */
export function checkBatch(entries: readonly { readonly Id: string }[]): void {
  if (entries.length === 0) throw new AwsError("EmptyBatchRequest", "The batch request doesn't contain any entries.");
  if (entries.length > MOST) {
    throw new AwsError("TooManyEntriesInBatchRequest", "The batch request contains more entries than permissible.");
  }
  if (!entries.every(({ Id }) => ID.test(Id))) {
    throw new AwsError(
      "InvalidBatchEntryId",
      "The Id of a batch entry in a batch request doesn't abide by the specification.",
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError("BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id.");
  }
}

/** For batches that are too large together, though each message of them may not be. */
export const batchTooLong = (): AwsError =>
  new AwsError("BatchRequestTooLong", "The length of all the batch messages put together is more than the limit.");
