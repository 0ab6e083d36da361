import type { CostBudget } from "./budget.ts";
import type { CelError, CelValue } from "./value.ts";

/** Gives the value of a variable, or undefined when it has none at the moment. */
export type Activation = (name: string) => CelValue | undefined;

/** The state of one evaluation. An accumulator may hold an error that a later item absorbs. */
export interface Frame {
  readonly variables: Activation;
  readonly budget: CostBudget;
  readonly locals: (CelValue | CelError)[];
}

/** A node made ready to run. */
export type Run = (frame: Frame) => CelValue;

/** A planned node; `constant` is set when its value does not depend on the evaluation. */
export interface Step {
  readonly run: Run;
  readonly constant?: CelValue;
}

export function constantStep(value: CelValue): Step {
  return { run: () => value, constant: value };
}
