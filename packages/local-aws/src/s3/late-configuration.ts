import { lateReads } from "../late-reads.ts";
import type { CallContext, Handler } from "../service.ts";
import type { Ground } from "./ground.ts";

/** How far reads of configuration and the list of buckets are behind, where reads lag. Objects never are. */
const LAG_MS = 2000;

/**
 * Makes late what AWS calls eventually consistent: the list of buckets, which still tells of those that were deleted, and what a
 * bucket is configured with. Whether a bucket is there is known at once.
 */
export function lateConfiguration({ world, store }: Ground): (name: string, handler: Handler) => Handler {
  const late = lateReads(world, LAG_MS);
  const createdAt = (input: object, { region }: CallContext): number | undefined =>
    "Bucket" in input && typeof input.Bucket === "string" ? store.bucket(region, input.Bucket)?.createdAt : undefined;
  const createdThen = late(createdAt);
  return (name, handler) => {
    const lateHandler = late(handler);
    if (name === "ListBuckets") return lateHandler;
    if (!CONFIGURATION.test(name)) return handler;
    return (input, context) =>
      createdThen(input, context) === createdAt(input, context) ? lateHandler(input, context) : handler(input, context);
  };
}

const CONFIGURATION = /^Get(?:Bucket(?!Location)|PublicAccessBlock$|ObjectLockConfiguration$)/;
