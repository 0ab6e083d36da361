import type { lateReads } from "../late-reads.ts";
import type { AwsWorld } from "../world.ts";
import type { IamStore } from "./store.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: IamStore;
  /** Makes a read late, where reads are. */
  readonly late: ReturnType<typeof lateReads>;
}
