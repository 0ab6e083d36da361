import type { Clock, Random } from "@gatewright/ports";
import type { Log } from "@gatewright/telemetry";
import type { Transport } from "../../transport/transport.ts";
import type { SystemPort } from "../systems/simulated-system.ts";
import type { Probe } from "./probe.ts";

/** All that a simulated process has of the world. When the process is killed they never answer again. */
export interface ProgramPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Another one for each start of a process: `a-1`, after a restart `a-2`. Made to be the identity in a lease. */
  readonly identity: string;
  /** The way to a system of the scenario. Throws for one that there is not. */
  readonly system: (name: string) => SystemPort;
  /** Where the program may tell what goes on inside it, for oracles that cannot see it from outside. */
  readonly probe: Probe;
}

/** What a program is while it runs. A `Manager` is one. */
export interface RunningProgram {
  /** Until the signal aborts, which asks it to stop in good order. A rejection counts as a violation. */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes a program from ports. Called at each start of a process: nothing may be remembered from one to the next. */
export type Program = (ports: ProgramPorts) => RunningProgram;
