import { aggregateText } from "./aggregate-text.ts";
import { at, formatFieldError, invalid, key as keyed } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { isObject } from "./json/json.ts";
import type { Json } from "./json/json.ts";
import { isQualifiedName, isValidLabelValue } from "./names.ts";

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One condition on one label. Values are sorted and distinct. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Conditions that must all hold, sorted by key. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Whether it lets everything through. */
  readonly empty: boolean;
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

/** A selector that cannot be read. The message is kube-apiserver's, to be answered with 400. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SelectorError";
  }
}

const INTEGER = /^[+-]?[0-9]+$/;
function int64(text: string): bigint | undefined {
  if (!INTEGER.test(text) || text.length > 40) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function holds(requirement: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
      return value === values[0];
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
      return value !== values[0];
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt": {
      const actual = value === undefined ? undefined : int64(value);
      const bound = int64(values[0] ?? "");
      if (actual === undefined || bound === undefined) return false;
      return operator === "gt" ? actual > bound : actual < bound;
    }
  }
}

const NO_LABELS = {};

/** A selector of requirements that all must hold; it keeps the list. */
export function labelSelector(requirements: LabelRequirement[]): LabelSelector {
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (labels = NO_LABELS) => requirements.every((r) => holds(r, labels)),
  };
}

/** Lets everything through. */
export const everything: LabelSelector = labelSelector([]);
/** Lets nothing through: what a missing selector means in most places. */
export const nothing: LabelSelector = { requirements: [], empty: false, matches: () => false };

/** Why a text is no label key, as an error at `path`. */
export function labelKeyErrors(key: string, path: string): FieldError[] {
  const texts = isQualifiedName(key);
  return texts.length === 0 ? [] : [invalid(path, key, texts.join("; "))];
}

/** A requirement that makes sense. Throws {@link SelectorError}. */
export function labelRequirement(key: string, operator: LabelOperator, values: string[]): LabelRequirement {
  const errors = labelKeyErrors(key, "key");
  if ((operator === "in" || operator === "notin") && values.length === 0) {
    errors.push(invalid("values", values, "for 'in', 'notin' operators, values set can't be empty"));
  }
  if ((operator === "exists" || operator === "!") && values.length > 0) {
    errors.push(invalid("values", values, "values set must be empty for exists and does not exist"));
  }
  values.forEach((value, index) => {
    const path = at("values", index);
    if ((operator === "gt" || operator === "lt") && int64(value) === undefined) {
      errors.push(invalid(path, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  });
  values.forEach((value, index) => {
    const texts = isValidLabelValue(value);
    if (texts.length > 0) errors.push(invalid(keyed(at("values", index), key), value, texts.join("; ")));
  });
  if (errors.length > 0) throw selectorError(errors);
  return { key, operator, values };
}

/** Several errors in one, each told once. */
export function selectorError(errors: readonly FieldError[]): SelectorError {
  return new SelectorError(aggregateText(errors.map(formatFieldError)));
}

const OBJECT_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/**
 * The selector of a `{matchLabels, matchExpressions}` object. A missing one selects nothing, an empty one everything.
 * Throws {@link SelectorError} on what validation would have refused.
 */
export function selectorFromObject(value: Json | undefined): LabelSelector {
  if (!isObject(value)) return nothing;
  const requirements: LabelRequirement[] = [];
  for (const [name, wanted] of Object.entries(value.matchLabels ?? {})) {
    requirements.push(labelRequirement(name, "=", [String(wanted)]));
  }
  for (const expression of Array.isArray(value.matchExpressions) ? value.matchExpressions : []) {
    if (!isObject(expression)) throw new SelectorError("a label selector requirement must be an object");
    const operator = OBJECT_OPERATORS.get(String(expression.operator ?? ""));
    if (!operator)
      throw new SelectorError(`"${String(expression.operator ?? "")}" is not a valid label selector operator`);
    const values = Array.isArray(expression.values) ? expression.values.map(String) : [];
    requirements.push(labelRequirement(String(expression.key ?? ""), operator, [...new Set(values)].sort()));
  }
  return requirements.length === 0 ? everything : labelSelector(requirements);
}

const SIGNS = { "=": "=", "==": "==", "!=": "!=", gt: ">", lt: "<", in: " in ", notin: " notin " } as const;

/** The selector as a text that `parseLabelSelector` reads back. */
export function formatLabelSelector(value: LabelSelector): string {
  return value.requirements
    .map(({ key, operator, values }) => {
      if (operator === "exists") return key;
      if (operator === "!") return `!${key}`;
      const list = values.join(",");
      return `${key}${SIGNS[operator]}${operator === "in" || operator === "notin" ? `(${list})` : list}`;
    })
    .join(",");
}
