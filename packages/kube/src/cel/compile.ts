import { baseFunctions } from "./base-functions.ts";
import type { CostBudget } from "./budget.ts";
import { check } from "./checker.ts";
import type { CheckedExpr } from "./checker.ts";
import type { CelEnv } from "./environment.ts";
import { functionTable } from "./function.ts";
import { estimateCost } from "./estimate.ts";
import type { CostEstimate } from "./size-estimate.ts";
import { formatIssues } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { parse } from "./parser.ts";
import { planProgram } from "./plan.ts";
import type { Activation, Run } from "./step.ts";
import type { CelType } from "./types.ts";
import { CelError } from "./value.ts";
import type { CelValue } from "./value.ts";
import { validateLiterals } from "./validate-literals.ts";

/** An expression that was parsed, checked and made ready to run. It holds no state: one program serves any number of evaluations. */
export interface CelProgram {
  readonly expression: string;
  readonly resultType: CelType;
  usesVariable(name: string): boolean;
  /** Runs the expression. Throws CelError when it fails and CostExceeded when it costs more than the budget. */
  evaluate(variables: Activation, budget: CostBudget): CelValue;
  /** What an evaluation may cost at least and at most, judging by the bounds in the types of the variables. */
  estimateCost(): CostEstimate;
}

export type CompileResult =
  | { readonly ok: true; readonly program: CelProgram }
  | {
      readonly ok: false;
      /** `instantiation` when the expression is well formed, but a constant part of it already fails. */
      readonly stage: "compilation" | "instantiation";
      readonly issues: readonly CelIssue[];
      /** All issues, as the API server prints them. */
      readonly message: string;
    };

/** Compiles an expression once, to be evaluated many times. */
export function compile(expression: string, env: CelEnv): CompileResult {
  const parsed = parse(expression);
  if (!parsed.ok) return failure(expression, parsed.issues);
  const functions = env.functions === undefined ? baseFunctions : functionTable([...baseFunctions], env.functions);
  const result = check(parsed.expr, env, functions);
  if (!result.ok) return failure(expression, result.issues);
  const invalid = validateLiterals(result.checked);
  if (invalid.length > 0) return failure(expression, invalid);
  try {
    return { ok: true, program: makeProgram(expression, result.checked, planProgram(result.checked), env) };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return {
      ok: false,
      stage: "instantiation",
      issues: [{ offset: undefined, message: error.message }],
      message: error.message,
    };
  }
}

function failure(expression: string, issues: readonly CelIssue[]): CompileResult {
  return { ok: false, stage: "compilation", issues, message: formatIssues(expression, issues) };
}

function makeProgram(expression: string, checked: CheckedExpr, run: Run, env: CelEnv): CelProgram {
  const used = new Set<string>();
  for (const name of checked.names.values()) if (name.to === "variable") used.add(name.name);
  return {
    expression,
    resultType: checked.typeOf(checked.expr),
    usesVariable: (name) => used.has(name),
    evaluate: (variables, budget) => run({ variables, budget, locals: new Array(checked.slotCount) }),
    estimateCost: () => estimateCost(checked, env),
  };
}
