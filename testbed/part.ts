import type { PartProcess } from "./processes.ts";
import type { Progress } from "./progress.ts";

/** What a started part tells: which processes it has, and what its users need. */
export interface StartedPart {
  readonly version: string;
  /** In the order in which they are to be ended. */
  readonly processes: readonly PartProcess[];
  readonly facts: Readonly<Record<string, string>>;
}

/** A real piece of software that the tests can talk to. */
export interface Part {
  readonly name: string;
  readonly about: string;
  /** Starts it in the folder so that it goes on after this process ends. */
  start(folder: string, progress: Progress, signal: AbortSignal): Promise<StartedPart>;
}
