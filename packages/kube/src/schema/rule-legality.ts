import { at, child, invalid, notSupported, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { evaluateRules } from "./cel-rules.ts";
import type { DefaultRules } from "./default-rules.ts";
import { internalRule } from "./internal-form.ts";
import type { SchemaScope } from "./keyword-rules.ts";
import { schemasAt, textOf, written } from "./raw-schema.ts";
import { RuleCosts } from "./rule-costs.ts";
import { followFieldPath } from "./rule-field-path.ts";
import type { RuleProgram } from "./rule-program.ts";
import { ruleTree } from "./rule-tree.ts";
import type { RuleTree } from "./rule-tree.ts";
import { parseSchema } from "./schema-node.ts";
import type { SchemaNode } from "./schema-node.ts";

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const LINE_BREAK = /[\n\r]/;
const KEYWORD = "x-kubernetes-validations";

export interface RuleLegalityOptions {
  /** The schema is fit to compile rules against. */
  readonly compiles: boolean;
  /** The same schema was accepted before: single rules are not measured again. */
  readonly unchanged: boolean;
}

/** A default must satisfy the rules of its schema both as a new value and as one that stays. */
export const defaultRules: DefaultRules = (value, node, path) => {
  const tree = ruleTree(node, false);
  if (!tree) return [];
  const kept = evaluateRules(tree, value, { old: value, path });
  return kept.length > 0 ? kept : evaluateRules(tree, value, { path });
};

/** Judges `x-kubernetes-validations` over a whole schema and adds up what they may cost. */
export class RuleLegality {
  readonly #options: RuleLegalityOptions;
  readonly #costs: RuleCosts;
  /** The rules by the schema that they stand in. */
  readonly #trees = new Map<JsonObject, RuleTree>();

  constructor(root: SchemaNode, options: RuleLegalityOptions) {
    this.#options = options;
    this.#costs = new RuleCosts(!options.unchanged);
    const tree = options.compiles ? ruleTree(root, true) : undefined;
    if (tree) this.#index(tree);
  }

  #index(tree: RuleTree): void {
    this.#trees.set(tree.node.source, tree);
    for (const inner of [...tree.properties.values(), tree.additional, tree.items]) if (inner) this.#index(inner);
  }

  /** The errors of one schema's rules: in their keywords, and, where `legal`, in what they say. */
  check(
    schema: JsonObject,
    path: FieldPath,
    scope: SchemaScope,
    legal: boolean,
  ): { readonly keyword: readonly FieldError[]; readonly cel: readonly FieldError[] } {
    const here = child(path, KEYWORD);
    const rules = schemasAt(schema, KEYWORD);
    const keyword = rules.flatMap((rule, i) => [...keywordErrors(rule, schema, at(here, i))]);
    if (!legal || keyword.length > 0 || !this.#options.compiles || scope.cardinality === undefined) {
      return { keyword, cel: [] };
    }
    const tree = this.#trees.get(schema) ?? ruleTree(parseSchema(schema), scope.root);
    const programs = tree?.programs() ?? [];
    const cel = programs.flatMap((compiled, i) => [
      ...this.#programErrors(compiled, rules[i]!, at(here, i), scope, tree?.type),
    ]);
    return { keyword, cel };
  }

  /** What all rules together may cost too much. `path` is where the schema stands. */
  totalErrors(path: FieldPath): FieldError[] {
    return this.#costs.totalErrors(path);
  }

  *#programErrors(
    compiled: RuleProgram,
    rule: JsonObject,
    path: FieldPath,
    scope: SchemaScope,
    type: Parameters<RuleCosts["observeRule"]>[3],
  ): Generator<FieldError> {
    yield* this.#costs.observeRule(compiled, child(path, "rule"), scope, type);
    if (compiled.error !== undefined) yield invalid(child(path, "rule"), internalRule(rule), compiled.error);
    if (compiled.messageError !== undefined) {
      yield invalid(child(path, "messageExpression"), internalRule(rule), compiled.messageError);
    } else {
      yield* this.#costs.observeMessage(compiled, child(path, "messageExpression"));
    }
    if (compiled.usesOldSelf) {
      if (scope.uncorrelatable !== undefined) {
        const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelatable}`;
        yield invalid(child(path, "rule"), compiled.rule.rule, why);
      }
    } else if (compiled.rule.optionalOldSelf !== undefined) {
      const set = compiled.rule.optionalOldSelf;
      yield invalid(child(path, "optionalOldSelf"), set, "may not be set if oldSelf is not used in rule");
    }
  }
}

function* keywordErrors(rule: JsonObject, schema: JsonObject, path: FieldPath): Generator<FieldError> {
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
    yield notSupported(child(path, "reason"), getOwn(rule, "reason") ?? "", REASONS);
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
