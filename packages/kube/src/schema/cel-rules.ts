import { CelError, CelOptional, CostBudget, CostExceeded, fromJson } from "../cel/index.ts";
import type { Activation, CelProgram, CelType, CelValue } from "../cel/index.ts";
import {
  at,
  child,
  forbiddenField,
  formatFieldError,
  invalid,
  invalidOmitted,
  key as keyed,
  required,
} from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import type { Correlation } from "./correlation.ts";
import { itemKey, itemsByKey } from "./correlation.ts";
import type { RuleProgram } from "./rule-program.ts";
import type { RuleTree } from "./rule-tree.ts";
import type { SchemaNode, ValidationRule } from "./schema-node.ts";

const PER_CALL_LIMIT = 1_000_000;
const OBJECT_BUDGET = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

export interface RuleRun {
  /** What the object replaces: for transition rules. */
  readonly old?: Json | undefined;
  /** Lets failures of parts that did not change become warnings. */
  readonly correlation?: Correlation | undefined;
  readonly warn?: ((text: string) => void) | undefined;
  /** Where the value stands, when it is not the root. */
  readonly path?: FieldPath;
}

/** Runs the CEL rules of a schema over an object that is otherwise valid, within the budget of one object. */
export function evaluateRules(tree: RuleTree, value: Json, run: RuleRun = {}): FieldError[] {
  const runner = new Runner(run.warn ?? (() => {}));
  try {
    runner.visit(tree, value, run.old ?? null, run.path ?? "", { current: run.correlation, nearest: undefined });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  return runner.errors;
}

/** Nothing more can be evaluated. What was found stands. */
class Stop extends Error {}

/** Where ratcheting stands: the part itself where it has an old value, and the closest part around it that has one. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

class Runner {
  readonly errors: FieldError[] = [];
  readonly #warn: (text: string) => void;
  #remaining = OBJECT_BUDGET;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  visit(tree: RuleTree, value: Json, old: Json, path: FieldPath, ratchet: Ratchet): void {
    if (value === null) return;
    if (tree.node.rules.length > 0) this.#evaluate(tree, value, old, path, ratchet);
    if (Array.isArray(value)) this.#visitItems(tree, value, old, path, ratchet);
    else if (isObject(value)) {
      const before = isObject(old) ? old : {};
      for (const key of Object.keys(value)) {
        const property = tree.properties.get(key);
        const inner = property ?? tree.additional;
        if (!inner) continue;
        const place = property ? child(path, key) : keyed(path, key);
        this.visit(inner, value[key]!, getOwn(before, key) ?? null, place, ratchetField(ratchet, key));
      }
    }
  }

  #visitItems(tree: RuleTree, value: readonly Json[], old: Json, path: FieldPath, ratchet: Ratchet): void {
    if (!tree.items) return;
    const before = tree.node.listType === "map" && Array.isArray(old) ? itemsByKey(tree.node, old) : undefined;
    for (const [i, item] of value.entries()) {
      const key = before && itemKey(tree.node, item);
      const inner = ratchet.current ? { current: ratchet.current.item(i), nearest: ratchet.current } : ratchet;
      this.visit(tree.items, item, (key !== undefined && before?.get(key)) || null, at(path, i), inner);
    }
  }

  #evaluate(tree: RuleTree, value: Json, old: Json, path: FieldPath, ratchet: Ratchet): void {
    const { node, type } = tree;
    if (!type) {
      const why = "rule compiler initialization error: failed to convert to declType for CEL validation rules";
      this.errors.push(invalid(path, node.type, why));
      return;
    }
    if (this.#remaining <= 0) this.#stop(invalid(path, node.type, OUT_OF_BUDGET));
    const variables = activation(value, old, type);
    for (const compiled of tree.programs()) {
      if (!compiled.program) {
        this.errors.push(invalid(path, node.type, `rule compile error: ${compiled.error}`));
      } else if (!compiled.usesOldSelf || old !== null || compiled.rule.optionalOldSelf === true) {
        this.#judge(compiled, compiled.program, variables, { node, value, path, ratchet });
      }
    }
  }

  #judge(
    compiled: RuleProgram,
    program: CelProgram,
    variables: { readonly plain: Activation; readonly optional: Activation },
    place: { node: SchemaNode; value: Json; path: FieldPath; ratchet: Ratchet },
  ): void {
    const { rule } = compiled;
    const { node, value, path, ratchet } = place;
    const run = evaluate(program, rule.optionalOldSelf === true ? variables.optional : variables.plain);
    if (run.cost > this.#remaining) this.#stop(invalid(path, node.type, OUT_OF_BUDGET));
    this.#remaining -= run.cost;
    if (run.error !== undefined) {
      this.errors.push(...this.#evaluationError(run.error, rule, path, node));
      return;
    }
    if (run.value === true) return;
    const told = compiled.fieldPath === "" ? path : child(path, compiled.fieldPath);
    const add = (error: FieldError): void => {
      if (!compiled.usesOldSelf && forgiven(ratchet)) this.#warn(formatFieldError(error));
      else this.errors.push(error);
    };
    const detail = this.#message(compiled, variables.plain, (why) => add(invalid(told, node.type, why)));
    add(failure(told, value, node, detail, rule.reason));
  }

  #evaluationError(
    error: CelError | CostExceeded,
    rule: ValidationRule,
    path: FieldPath,
    node: SchemaNode,
  ): FieldError[] {
    const told = ruleText(rule);
    if (error instanceof CostExceeded) {
      const why = `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${told}`;
      this.#stop(invalid(path, node.type, why));
    }
    if (error.message.startsWith("no such overload")) {
      const why = `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${told}`;
      return [invalid(path, node.type, why)];
    }
    return [invalid(path, node.type, `${error.message} evaluating rule: ${told}`)];
  }

  /** The rule's own words: what its messageExpression gives, if that is usable, else its message, else the rule. */
  #message(compiled: RuleProgram, variables: Activation, refuse: (why: string) => void): string {
    const { rule, message } = compiled;
    const fixed = rule.message === "" ? `failed rule: ${ruleText(rule)}` : rule.message.trim();
    if (!message) return fixed;
    const run = evaluate(message, variables);
    if (run.cost > this.#remaining) {
      refuse(
        "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      );
      throw new Stop();
    }
    if (run.error instanceof CostExceeded) {
      const source = JSON.stringify(rule.messageExpression);
      refuse(`no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`);
      throw new Stop();
    }
    this.#remaining -= run.cost;
    const text = typeof run.value === "string" ? run.value.trim() : "";
    return text === "" || text.includes("\n") || Buffer.byteLength(text) > MAX_MESSAGE_BYTES ? fixed : text;
  }

  #stop(error: FieldError): never {
    this.errors.push(error);
    throw new Stop();
  }
}

interface Evaluation {
  readonly cost: number;
  readonly value?: CelValue;
  readonly error?: CelError | CostExceeded;
}

function evaluate(program: CelProgram, variables: Activation): Evaluation {
  const budget = new CostBudget(PER_CALL_LIMIT);
  try {
    const value = program.evaluate(variables, budget);
    return { cost: budget.spent, value };
  } catch (error) {
    if (error instanceof CelError || error instanceof CostExceeded) return { cost: budget.spent, error };
    throw error;
  }
}

/** Values are converted when a rule first asks for them. */
function activation(
  value: Json,
  old: Json,
  type: CelType,
): { readonly plain: Activation; readonly optional: Activation } {
  let self: CelValue | undefined;
  let oldSelf: CelValue | undefined;
  const resolve = (name: string): CelValue | undefined => {
    if (name === "self") return (self ??= fromJson(value, type));
    if (name === "oldSelf" && old !== null) return (oldSelf ??= fromJson(old, type));
    return undefined;
  };
  return {
    plain: resolve,
    optional: (name) => (name === "oldSelf" ? new CelOptional(resolve("oldSelf")) : resolve(name)),
  };
}

/** apiVersion and kind of the root never count as unchanged: both objects were brought to one version. */
function ratchetField(ratchet: Ratchet, key: string): Ratchet {
  const { current, nearest } = ratchet;
  if (!current) return ratchet;
  if (!nearest && (key === "apiVersion" || key === "kind")) return { current: undefined, nearest: undefined };
  return { current: current.field(key), nearest: current };
}

function forgiven({ current, nearest }: Ratchet): boolean {
  return (current ?? nearest)?.unchanged() ?? false;
}

const ruleText = (rule: ValidationRule): string => (rule.message === "" ? rule.rule : rule.message).trim();

function failure(
  path: FieldPath,
  value: Json,
  node: SchemaNode,
  detail: string,
  reason: string | undefined,
): FieldError {
  const omitted = node.type === "object" || node.type === "array";
  switch (reason) {
    case "FieldValueForbidden":
      return forbiddenField(path, detail);
    case "FieldValueRequired":
      return required(path, detail);
    case "FieldValueDuplicate": {
      const shown = omitted ? "" : invalid(path, value, "").body.replace(/^Invalid value/, "");
      return { ...forbiddenField(path, ""), reason: "FieldValueDuplicate", body: `Duplicate value${shown}` };
    }
    default:
      return omitted ? invalidOmitted(path, detail) : invalid(path, value, detail);
  }
}
