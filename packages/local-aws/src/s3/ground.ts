import type { AwsWorld } from "../world.ts";
import type { Blobs } from "./blobs.ts";
import type { S3Store } from "./s3-store.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: S3Store;
  readonly blobs: Blobs;
  /** Hears of what went wrong behind an answer that was right. */
  readonly onFault: (error: unknown, where: string) => void;
}
