import type { AwsWorld } from "../world.ts";
import type { QueueRecord } from "./records.ts";
import type { SqsStore } from "./store.ts";
import type { Waiters } from "./waiters.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: SqsStore;
  readonly waiters: Waiters;
  readonly urlOf: (queue: QueueRecord) => string;
  /** What all messages may take. */
  readonly mostBytes: number;
}
