import type { Run, Step } from "./step.ts";
import { CelError, CelOptional, noSuchOverload } from "./value.ts";
import type { CelValue } from "./value.ts";

/** `a && b`: false wins over an error on the other side. */
export function planAnd(left: Run, right: Run): Step {
  return { run: planConnective(left, right, false) };
}

/** `a || b`: true wins over an error on the other side. */
export function planOr(left: Run, right: Run): Step {
  return { run: planConnective(left, right, true) };
}

function planConnective(left: Run, right: Run, decisive: boolean): Run {
  return (frame) => {
    let value: CelValue;
    try {
      value = left(frame);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      if (right(frame) === decisive) return decisive;
      throw error;
    }
    if (value === decisive) return decisive;
    const other = right(frame);
    if (other === decisive) return decisive;
    if (typeof value !== "boolean" || typeof other !== "boolean") throw noSuchOverload();
    return !decisive;
  };
}

export function planTernary(condition: Run, yes: Run, no: Run): Step {
  return {
    run: (frame) => {
      const value = condition(frame);
      if (value === true) return yes(frame);
      if (value === false) return no(frame);
      throw noSuchOverload();
    },
  };
}

/** Whether a fold goes on: anything but false, errors included. */
export function planNotStrictlyFalse(operand: Run): Step {
  return {
    run: (frame) => {
      let value: CelValue = true;
      try {
        value = operand(frame);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
      }
      frame.budget.spend(1);
      return value !== false;
    },
  };
}

/** `a.or(b)` and `a.orValue(b)`: the second is computed only when the first is empty. */
export function planOptionalOr(first: Run, second: Run, unwrap: boolean): Step {
  return {
    run: (frame) => {
      const value = first(frame);
      if (!(value instanceof CelOptional)) throw noSuchOverload();
      if (value.value === undefined) return second(frame);
      return unwrap ? value.value : value;
    },
  };
}
