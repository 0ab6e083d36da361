import { at, child, forbiddenField, invalid, notSupported, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { internalRule } from "./internal-form.ts";
import type { SchemaScope } from "./keyword-rules.ts";
import type { DefaultRules } from "./default-rules.ts";
import { schemasAt, textOf, written } from "./raw-schema.ts";
import { followFieldPath } from "./rule-field-path.ts";
import { parseSchema } from "./schema-node.ts";

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const LINE_BREAK = /[\n\r]/;

export interface RuleLegalityOptions {
  /** The schema is fit to compile rules against. */
  readonly compiles: boolean;
  readonly unchanged: boolean;
}

export const defaultRules: DefaultRules = () => [];

/** Judges `x-kubernetes-validations` over a whole schema and adds up what they may cost. */
export class RuleLegality {
  readonly #options: RuleLegalityOptions;
  constructor(_schema: JsonObject, options: RuleLegalityOptions) {
    this.#options = options;
  }

  check(schema: JsonObject, path: FieldPath, _scope: SchemaScope, legal: boolean): { keyword: FieldError[]; cel: FieldError[] } {
    const keyword = schemasAt(schema, "x-kubernetes-validations").flatMap((rule, i) => [
      ...ruleErrors(rule, schema, at(child(path, "x-kubernetes-validations"), i)),
    ]);
    void legal;
    void this.#options;
    return { keyword, cel: [] };
  }

  totalErrors(_path: FieldPath): FieldError[] {
    return [];
  }
}

function* ruleErrors(rule: JsonObject, schema: JsonObject, path: FieldPath): Generator<FieldError> {
  const expression = textOf(rule, "rule").trim();
  const message = textOf(rule, "message");
  if (expression === "") {
    yield required(child(path, "rule"), "rule is not specified");
  } else if (message !== "" && message.trim() === "") {
    yield invalid(child(path, "message"), message, "must be non-empty if specified");
  } else if (LINE_BREAK.test(message.trim())) {
    yield invalid(child(path, "message"), message, "must not contain line breaks");
  } else if (LINE_BREAK.test(expression) && message.trim() === "") {
    yield required(child(path, "message"), "message must be specified if rule contains line breaks");
  }
  const messageExpression = textOf(rule, "messageExpression");
  if (messageExpression !== "" && messageExpression.trim() === "") {
    yield required(child(path, "messageExpression"), "messageExpression must be non-empty if specified");
  }
  if (written(rule, "reason") && !REASONS.includes(textOf(rule, "reason"))) {
    yield notSupported(child(path, "reason"), textOf(rule, "reason"), REASONS);
  }
  const fieldPath = textOf(rule, "fieldPath");
  if (fieldPath === "") return;
  const place = child(path, "fieldPath");
  if (fieldPath.trim() === "") yield invalid(place, fieldPath, "must be non-empty if specified");
  if (LINE_BREAK.test(fieldPath)) yield invalid(place, fieldPath, "must not contain line breaks");
  if (typeof followFieldPath(fieldPath, parseSchema(schema)) === "string") {
    yield invalid(place, fieldPath, "must be a valid path");
  }
}
void [forbiddenField, getOwn, isObject, internalRule];
