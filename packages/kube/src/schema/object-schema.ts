import { invalid } from "../field-error.ts";
import type { FieldError } from "../field-error.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ObjectType } from "../type-node.ts";
import { evaluateRules } from "./cel-rules.ts";
import type { RuleRun } from "./cel-rules.ts";
import { Correlation } from "./correlation.ts";
import { applyDefaults } from "./defaults.ts";
import { embeddedMetadata } from "./embedded-metadata.ts";
import { validateEmbeddedResources } from "./embedded-resource.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import type { PruneOptions } from "./prune.ts";
import { ruleTree } from "./rule-tree.ts";
import type { RuleTree } from "./rule-tree.ts";
import { resourceType } from "./schema-type.ts";
import { parseSchema } from "./schema-node.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateValue } from "./validate.ts";

/** Everything that a custom resource's schema decides about its objects. Made once for each version of a CRD. */
export interface ObjectSchema {
  readonly root: SchemaNode;
  readonly type: ObjectType;
  /** Drops what the schema does not declare, in place; returns the paths of what was unknown. See {@link prune}. */
  prune(object: JsonObject, options?: PruneOptions): string[];
  /** Sets defaults, in place. */
  applyDefaults(object: JsonObject): void;
  /**
   * What is wrong with a new object. Metadata at the root is not judged here. `others` is what the caller has found by
   * itself: it is told after the errors of keywords, and counts when it is decided whether CEL rules can run.
   */
  validate(object: JsonObject, others?: readonly FieldError[]): FieldError[];
  /** What is wrong with a change. Parts that were wrong before and did not change are forgiven, and told to `warn`. */
  validateUpdate(
    object: JsonObject,
    old: JsonObject,
    warn: (text: string) => void,
    others?: readonly FieldError[],
  ): FieldError[];
  /** Like {@link validateUpdate} for a write to the status subresource: only the status is judged by keyword. */
  validateStatusUpdate(
    object: JsonObject,
    old: JsonObject,
    warn: (text: string) => void,
    others?: readonly FieldError[],
  ): FieldError[];
}

const BLOCKING: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);
const UNCHECKED =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/**
 * Compiles an `openAPIV3Schema`, which must be legal and stay as it is. The work is done for the first object: of most definitions that
 * a server holds there never is one.
 */
export function compileSchema(openAPIV3Schema: JsonObject): ObjectSchema {
  let parsed: SchemaNode | undefined;
  let type: ObjectType | undefined;
  let rules: { readonly tree: RuleTree | undefined } | undefined;
  const rootNode = (): SchemaNode => (parsed ??= parseSchema(openAPIV3Schema));

  /** Rules run only on objects that are well-formed enough for them. */
  const withRules = (errors: FieldError[], object: JsonObject, run: RuleRun = {}): FieldError[] => {
    const { tree } = (rules ??= { tree: ruleTree(rootNode(), true) });
    if (!tree) return errors;
    if (errors.some((e) => BLOCKING.has(e.reason))) errors.push(invalid("", null, UNCHECKED));
    else errors.push(...evaluateRules(tree, object, run));
    return errors;
  };

  return {
    get root() {
      return rootNode();
    },
    get type() {
      return (type ??= resourceType(rootNode()));
    },
    prune: (object, options) => prune(object, rootNode(), options),
    applyDefaults: (object) => applyDefaults(object, rootNode()),
    validate(object, others = []) {
      const root = rootNode();
      const errors = [
        ...validateValue(object, root),
        ...others,
        ...validateEmbeddedResources(object, root, embeddedMetadata),
        ...validateListTypes(object, root),
      ];
      return withRules(errors, object);
    },
    validateUpdate(object, old, warn, others = []) {
      const root = rootNode();
      const correlation = new Correlation(object, old, root);
      const errors = [
        ...validateValue(object, root, { correlation }),
        ...others,
        ...validateEmbeddedResources(object, root, embeddedMetadata),
        ...newListErrors(object, old, root),
      ];
      return withRules(errors, object, { old, correlation, warn });
    },
    validateStatusUpdate(object, old, warn, others = []) {
      const root = rootNode();
      const statusNode = root.properties?.get("status");
      const correlation = new Correlation(object, old, root);
      const status = getOwn(object, "status");
      const judged =
        status === undefined || !statusNode
          ? []
          : validateValue(status, statusNode, { correlation: correlation.field("status"), prefix: "status" });
      return withRules([...judged, ...others, ...newListErrors(object, old, root)], object, { old, correlation, warn });
    },
  };
}

/** Duplicates are forgiven as long as the old object has some too. */
function newListErrors(object: Json, old: Json, root: SchemaNode): FieldError[] {
  const errors = validateListTypes(object, root);
  return errors.length > 0 && isObject(old) && validateListTypes(old, root).length > 0 ? [] : errors;
}
