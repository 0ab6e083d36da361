import type { PartProcess } from "./processes.ts";
import type { Progress } from "./progress.ts";

/** What a started part tells: which processes it has, and what its users need. */
export interface StartedPart {
  readonly version: string;
  /** In the order in which they are to be ended. */
  readonly processes: readonly PartProcess[];
  readonly facts: Readonly<Record<string, string>>;
}

export interface StartOptions {
  readonly progress: Progress;
  /** Whether it goes on after this process ends. */
  readonly outlive: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A real piece of software that the tests can talk to. */
export interface Part {
  readonly name: string;
  readonly about: string;
  /** Builds or fetches what is missing, starts it in the folder and waits until it is ready. */
  start(folder: string, options: StartOptions): Promise<StartedPart>;
}
