import type { Clock, Random } from "@gatewright/ports";
import type { State } from "./state/state.ts";

/** How closely AWS's slowness is followed. */
export interface Pace {
  /** Multiplies the time that things take (certificates, databases, DNS changes). 1: as AWS; 0: at once. Laptop default: 0.02. */
  readonly durations: number;
  /** Whether reads may lag behind writes as AWS's do. */
  readonly lag: boolean;
}

/** What every service stands on. */
export interface AwsWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: State;
  readonly pace: Pace;
}
