import { baseFunctions } from "./base-functions.ts";
import { CostBudget } from "./budget.ts";
import { check } from "./checker.ts";
import type { CheckedExpr } from "./checker.ts";
import type { CelEnv } from "./environment.ts";
import { formatIssues } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { parse } from "./parser.ts";
import { planProgram } from "./plan.ts";
import type { Activation, Run } from "./step.ts";
import type { CelType } from "./types.ts";
import type { CelValue } from "./value.ts";

/** An expression that was parsed, checked and made ready to run. It holds no state: one program serves any number of evaluations. */
export interface CelProgram {
  readonly expression: string;
  readonly resultType: CelType;
  usesVariable(name: string): boolean;
  /** Runs the expression. Throws CelError when it fails and CostExceeded when it costs more than the budget. */
  evaluate(variables: Activation, budget: CostBudget): CelValue;
}

export type CompileResult =
  | { readonly ok: true; readonly program: CelProgram }
  | { readonly ok: false; readonly issues: readonly CelIssue[]; /** All issues, as the API server prints them. */ readonly message: string };

/** Compiles an expression once, to be evaluated many times. */
export function compile(expression: string, env: CelEnv): CompileResult {
  const parsed = parse(expression);
  if (!parsed.ok) return failure(expression, parsed.issues);
  const result = check(parsed.expr, env, baseFunctions);
  if (!result.ok) return failure(expression, result.issues);
  return { ok: true, program: makeProgram(expression, result.checked) };
}

function failure(expression: string, issues: readonly CelIssue[]): CompileResult {
  return { ok: false, issues, message: formatIssues(expression, issues) };
}

function makeProgram(expression: string, checked: CheckedExpr): CelProgram {
  const used = new Set<string>();
  for (const name of checked.names.values()) if (name.to === "variable") used.add(name.name);
  let run: Run | undefined;
  return {
    expression,
    resultType: checked.typeOf(checked.expr),
    usesVariable: (name) => used.has(name),
    evaluate: (variables, budget) => {
      run ??= planProgram(checked);
      return run({ variables, budget, locals: new Array(checked.slotCount) });
    },
  };
}
