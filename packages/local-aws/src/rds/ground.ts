import type { Networks } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";
import type { RdsStore } from "./rds-store.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: RdsStore;
  /** Without it, every subnet and security group that is well-formed is believed in. */
  readonly networks: Networks | undefined;
  /** How many instances an account may have in a region. */
  readonly quota: number;
}
