import type { Clock } from "@gatewright/ports";

/** Something inside the server that reacts to objects until it is stopped. Starting it is a function of its own. */
export interface Controller {
  /** Ends all reactions; resolves when none is under way. */
  stop(): Promise<void>;
  /** Resolves when nothing is left to react to. Work that waits for a later retry does not count. */
  idle(): Promise<void>;
}

/** What every controller is given. */
export interface ControllerDeps {
  readonly clock: Clock;
  /** Hears of failures that are going to be retried. */
  report(message: string, error: unknown): void;
}
