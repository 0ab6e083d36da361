import { maxRequestBytes } from "../cel/index.ts";
import type { CelProgram, CelType } from "../cel/index.ts";
import { forbiddenField } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import type { SchemaScope } from "./keyword-rules.ts";
import type { RuleProgram } from "./rule-program.ts";

const EXPRESSION_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
const MOST_EXPENSIVE = 4;
/** More than this cannot be told apart from endless. */
const MAX_COST = 2 ** 64;

/** How much over a limit, as messages tell it. */
function excess(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const told = factor > 100 ? "more than 100x" : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${told} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

const times = (cost: number, count: number): number =>
  cost === 0 || count === 0 ? 0 : Math.min(cost * count, MAX_COST);

/** What the rules of one schema may cost at worst, each by itself and together. */
export class RuleCosts {
  readonly #single: boolean;
  readonly #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];
  #total = 0;

  /** `single`: rules that cost too much by themselves are told. */
  constructor(single: boolean) {
    this.#single = single;
  }

  /** Counts a rule as often as its value can occur. */
  *observeRule(
    compiled: RuleProgram,
    path: FieldPath,
    scope: SchemaScope,
    type: CelType | undefined,
  ): Generator<FieldError> {
    const bound = scope.cardinality ?? Infinity;
    const count = bound === Infinity ? Math.floor(maxRequestBytes / ((type?.bounds?.minJsonSize ?? 0) + 1)) : bound;
    const cost = times(worstCost(compiled.program), count);
    if (this.#single && cost > EXPRESSION_LIMIT)
      yield forbiddenField(path, excess("estimated rule cost", cost, EXPRESSION_LIMIT));
    this.#add(path, cost);
  }

  *observeMessage(compiled: RuleProgram, path: FieldPath): Generator<FieldError> {
    if (!compiled.message) return;
    const cost = worstCost(compiled.message);
    if (this.#single && cost > EXPRESSION_LIMIT) {
      yield forbiddenField(path, excess("estimated messageExpression cost", cost, EXPRESSION_LIMIT));
    }
    this.#add(path, cost);
  }

  totalErrors(path: FieldPath): FieldError[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const whole = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#expensive.map((rule) => forbiddenField(rule.path, contributed)),
      forbiddenField(path, excess(whole, this.#total, SCHEMA_LIMIT)),
    ];
  }

  #add(path: FieldPath, cost: number): void {
    this.#total = Math.min(this.#total + cost, MAX_COST);
    if (cost < SCHEMA_LIMIT / 100) return;
    this.#expensive.push({ path, cost });
    this.#expensive.sort((a, b) => b.cost - a.cost);
    if (this.#expensive.length > MOST_EXPENSIVE) this.#expensive.length = MOST_EXPENSIVE;
  }
}

function worstCost(program: CelProgram | undefined): number {
  return program?.estimateCost().max ?? 0;
}
