import { escapeName } from "../cel/escape.ts";
import type { JsonObject } from "../json/json.ts";
import { DefinitionError } from "./definition-error.ts";

/** A CEL rule over a value: `self`, and `oldSelf` when it replaces another. */
export interface Rule {
  /** True when the value is fine. */
  readonly rule: string;
  /** What the user is told when it is not. */
  readonly message: string;
  /** CEL that gives a better message; `message` is used when it fails. */
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** The field that the error points to, below the value: `.spec.hostname`. */
  readonly fieldPath?: string;
  /** Run a rule with `oldSelf` on creation too; `oldSelf` is then an optional. */
  readonly optionalOldSelf?: boolean;
}

/**
 * The value never changes once it is written. On an optional field it can still be removed: guard its object with
 * {@link keptOnceSet} too. The value needs a bound (`maxLength`, `maxItems`, `maxProperties`) where it is inside a list or map.
 */
export function immutable(message = "is immutable"): Rule {
  return { rule: "self == oldSelf", message };
}

/** Of an object: optional fields that, once written, are not removed again. */
export function keptOnceSet(...fields: readonly string[]): Rule {
  const kept = named("keptOnceSet", fields, 1).map((name) => `(!has(oldSelf.${name}) || has(self.${name}))`);
  return { rule: kept.join(" && "), message: `${listed(fields, "and")} may not be removed once set` };
}

/** Of an object: one of these fields is set, and only one. */
export function exactlyOneOf(...fields: readonly string[]): Rule {
  return {
    rule: `${counted("exactlyOneOf", fields)} == 1`,
    message: `exactly one of ${listed(fields, "or")} must be set`,
  };
}

/** Of an object: no more than one of these fields is set. */
export function atMostOneOf(...fields: readonly string[]): Rule {
  return {
    rule: `${counted("atMostOneOf", fields)} <= 1`,
    message: `at most one of ${listed(fields, "or")} may be set`,
  };
}

/** Of an object: at least one of these fields is set. */
export function atLeastOneOf(...fields: readonly string[]): Rule {
  const rule = named("atLeastOneOf", fields, 2).map((name) => `has(self.${name})`);
  return { rule: rule.join(" || "), message: `at least one of ${listed(fields, "or")} must be set` };
}

/** Of an object: a field is only set together with others. */
export function needs(field: string, ...others: readonly string[]): Rule {
  const [first, ...rest] = named("needs", [field, ...others], 2);
  return {
    rule: `!has(self.${first}) || (${rest.map((name) => `has(self.${name})`).join(" && ")})`,
    message: `${field} can only be set together with ${listed(others, "and")}`,
  };
}

/** The rules as a schema has them. */
export function rulesJson(rules: readonly Rule[]): JsonObject[] {
  return rules.map((rule) => ({ ...rule }));
}

function counted(helper: string, fields: readonly string[]): string {
  const terms = named(helper, fields, 2).map((name) => `has(self.${name})`);
  return `[${terms.join(", ")}].filter(set, set).size()`;
}

function named(helper: string, fields: readonly string[], least: number): string[] {
  if (fields.length < least) throw new DefinitionError(helper, [`at least ${least} fields are needed`]);
  return fields.map((field) => {
    const name = escapeName(field);
    if (name === undefined) throw new DefinitionError(helper, [`CEL has no name for the field "${field}"`]);
    return name;
  });
}

function listed(fields: readonly string[], word: string): string {
  return fields.length < 2 ? fields.join("") : `${fields.slice(0, -1).join(", ")} ${word} ${fields.at(-1)}`;
}
