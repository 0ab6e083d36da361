import { CelError, CostBudget, CostExceeded, compile, formatType } from "@gatewright/kube/cel";
import type { Activation, CelEnv, CelProgram, CelValue } from "@gatewright/kube/cel";

/** What one evaluation may cost at most, whatever is left of the budget. */
const PER_CALL_LIMIT = 1_000_000;
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

/** An expression of a policy or webhook, compiled or not. */
export type Expression =
  | { readonly ok: true; readonly text: string; readonly program: CelProgram }
  /** `problem` is what validation tells: `compilation failed: …` or a wrong result type. */
  | { readonly ok: false; readonly text: string; readonly problem: string };

/** Compiles an expression. `results` are the names of the types that it may give; an empty list allows all. */
export function compileExpression(text: string, env: CelEnv, results: readonly string[]): Expression {
  const compiled = compile(text, env);
  if (!compiled.ok) return { ok: false, text, problem: `compilation failed: ${compiled.message}` };
  const actual = formatType(compiled.program.resultType).replace(/^null$/, "null_type");
  if (results.length > 0 && !results.includes(actual)) {
    const wanted = results.length === 1 ? results[0]! : `one of [${results.join(" ")}]`;
    return { ok: false, text, problem: `must evaluate to ${wanted} but got ${actual}` };
  }
  return { ok: true, text, program: compiled.program };
}

/** The budget that a list of expressions shares is used up: none of them counts. */
export class BudgetExceeded extends Error {
  constructor() {
    super(OUT_OF_BUDGET);
    this.name = "BudgetExceeded";
  }
}

/** What several expressions may cost together. */
export class SharedBudget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Throws {@link BudgetExceeded}. */
  spend(cost: number): void {
    if (cost > this.#left) throw new BudgetExceeded();
    this.#left -= cost;
  }
}

export type Evaluation =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string };

/** Evaluates an expression. What goes wrong in it is a result; only a used up budget throws. */
export function evaluateExpression(expression: Expression, variables: Activation, budget: SharedBudget): Evaluation {
  if (!expression.ok) return { ok: false, message: `compilation error: ${expression.problem}` };
  const cost = new CostBudget(PER_CALL_LIMIT);
  try {
    return { ok: true, value: expression.program.evaluate(variables, cost) };
  } catch (error) {
    if (!(error instanceof CelError || error instanceof CostExceeded)) throw error;
    return { ok: false, message: `expression '${expression.text}' resulted in error: ${error.message}` };
  } finally {
    budget.spend(cost.spent);
  }
}
