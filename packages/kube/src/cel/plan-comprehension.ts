import type { ComprehensionExpr } from "./ast.ts";
import { GrowingMap } from "./entry-map.ts";
import { ArrayList, GrowingList } from "./list.ts";
import type { Planner } from "./plan.ts";
import type { Frame, Run, Step } from "./step.ts";
import { CelError, isList, isMap, typeNameOf } from "./value.ts";
import type { CelValue } from "./value.ts";

/** Plans a fold. Its variables live in three slots of the frame: accumulator, first variable, second variable. */
export function planComprehension(planner: Planner, expr: ComprehensionExpr): Step {
  const slot = planner.checked.slots.get(expr)!;
  const range = planner.plan(expr.range).run;
  const init = planInit(planner, expr);
  const condition = planner.plan(expr.condition);
  const step = planner.plan(expr.step).run;
  const result = planner.plan(expr.result).run;
  const two = expr.iterVar2 !== undefined;
  const goesOn = condition.constant === true ? undefined : condition.run;

  const advance = (frame: Frame): boolean => {
    if (goesOn !== undefined && goesOn(frame) !== true) return false;
    try {
      frame.locals[slot] = step(frame);
    } catch (error) {
      if (goesOn === undefined || !(error instanceof CelError)) throw error;
      frame.locals[slot] = error;
    }
    return true;
  };

  return {
    run: (frame) => {
      const { locals } = frame;
      const over = range(frame);
      locals[slot] = init(frame);
      if (isList(over)) {
        let index = 0;
        for (const item of over) {
          locals[slot + 1] = two ? BigInt(index++) : item;
          locals[slot + 2] = item;
          if (!advance(frame)) break;
        }
      } else if (isMap(over)) {
        for (const key of over.keys()) {
          locals[slot + 1] = key;
          if (two) locals[slot + 2] = over.get(key)!;
          if (!advance(frame)) break;
        }
      } else {
        throw new CelError(`got '${goTypeName(over)}', expected iterable type`);
      }
      const folded = locals[slot];
      if (folded instanceof GrowingList) locals[slot] = new ArrayList(folded.items);
      return result(frame);
    },
  };
}

/** A fold that starts with an empty list or map gets one of its own that it can grow in place. */
function planInit(planner: Planner, expr: ComprehensionExpr): Run {
  if (expr.init.kind === "list" && expr.init.items.length === 0) return () => new GrowingList([]);
  if (expr.init.kind === "map" && expr.init.entries.length === 0) return () => new GrowingMap();
  return planner.plan(expr.init).run;
}

/** The error names the value's type as the reference implementation calls it. */
function goTypeName(value: CelValue): string {
  const name = typeNameOf(value).split(/[._]/)[0]!;
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
