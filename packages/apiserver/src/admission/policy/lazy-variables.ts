import { quote } from "@gatewright/kube";
import { CelError, CostBudget, CostExceeded, unescapeName } from "@gatewright/kube/cel";
import type { Activation, CelMap, CelValue } from "@gatewright/kube/cel";
import type { Expression } from "../expressions/expression.ts";

const PER_VARIABLE_LIMIT = 1_000_000;

/** `variables`: each is evaluated when an expression first asks for it, and at most once for a request. */
export class LazyVariables implements CelMap {
  readonly kind = "map";
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #activation: () => Activation;
  readonly #known = new Map<string, CelValue | CelError>();
  #spent = 0;

  /** `activation` is looked up late, because it in turn knows these variables. */
  constructor(expressions: ReadonlyMap<string, Expression>, activation: () => Activation) {
    this.#expressions = expressions;
    this.#activation = activation;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): Iterable<string> {
    return this.#expressions.keys();
  }

  get(key: CelValue): CelValue | undefined {
    const name = typeof key === "string" ? unescapeName(key) : undefined;
    const expression = name === undefined ? undefined : this.#expressions.get(name);
    if (name === undefined || expression === undefined) return undefined;
    let value = this.#known.get(name);
    if (value === undefined) {
      value = this.#evaluate(name, expression);
      this.#known.set(name, value);
    }
    if (value instanceof CelError) throw value;
    return value;
  }

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const cost = this.#spent;
    this.#spent = 0;
    return cost;
  }

  #evaluate(name: string, expression: Expression): CelValue | CelError {
    const variable = `composited variable ${quote(name)}`;
    if (!expression.ok) return new CelError(`${variable} fails to compile: ${expression.problem}`);
    const budget = new CostBudget(PER_VARIABLE_LIMIT);
    try {
      return expression.program.evaluate(this.#activation(), budget);
    } catch (error) {
      if (!(error instanceof CelError || error instanceof CostExceeded)) throw error;
      return new CelError(`${variable} fails to evaluate: ${error.message}`);
    } finally {
      this.#spent += budget.spent;
    }
  }
}
