import type { Clock, Random } from "@gatewright/ports";
import type { KeptState } from "../kept/kept-state.ts";

/** What is wrong with a part of a specification, or has no effect here. Who compiles the object adds which object it is. */
export interface Note {
  /** From the object on: `spec.headers.request.set`. */
  readonly field: string;
  readonly message: string;
  /** An error leaves the object out; a warning tells that something does less than it says. */
  readonly severity: "error" | "warning";
  /**
   * Set with errors of what guards a route: the route is not left out, and answers 503. Without it a wider route would answer in its
   * place, unguarded.
   */
  readonly closed?: true;
}

/** What filters and actions are made with. */
export interface Around {
  readonly clock: Clock;
  readonly random: Random;
  readonly kept: KeptState;
  /** `APIRoute default/hello`: the name of this route's kept state. */
  readonly routeId: string;
  note(finding: Note): void;
}
