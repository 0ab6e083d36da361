import { child, forbiddenField, invalid } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { defaultErrors } from "./default-rules.ts";
import { goKeyword, internalSchema } from "./internal-form.ts";
import { keywordErrors, rootScope } from "./keyword-rules.ts";
import { isTrue, says, schemaAt, schemasAt, namedSchemas, textOf, written } from "./raw-schema.ts";
import { RuleLegality, defaultRules } from "./rule-legality.ts";
import { parseSchema } from "./schema-node.ts";
import { structuralErrors } from "./structural-rules.ts";

export interface SchemaLegality {
  /** The version has a status subresource, which restricts what may stand at the root. */
  readonly status: boolean;
  /** The same schema was accepted before: single rules are not measured again. */
  readonly unchanged: boolean;
}

const AT_ROOT_WITH_STATUS =
  "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";

/** Why an `openAPIV3Schema` may not be used, as kube-apiserver tells it. `path` is where the schema stands. */
export function validateSchema(schema: JsonObject, path: FieldPath, options: SchemaLegality): FieldError[] {
  const errors: FieldError[] = [...rootErrors(schema, path, options.status)];
  const unreadable = unreadableAt(schema);
  const root = parseSchema(schema);
  let compiles = false;
  if (unreadable === undefined) {
    const shape = structuralErrors(schema, path);
    const wrong = shape.length > 0 ? shape : defaultErrors(root, path, defaultRules);
    errors.push(...wrong);
    compiles = wrong.length === 0;
  }
  const rules = new RuleLegality(root, { unchanged: options.unchanged, compiles });
  errors.push(...keywordErrors(schema, path, rootScope, (...place) => rules.check(...place)));
  if (errors.length === 0 && unreadable !== undefined) errors.push(invalid(path, "", unreadable));
  errors.push(...rules.totalErrors(path));
  return errors;
}

function* rootErrors(schema: JsonObject, path: FieldPath, status: boolean): Generator<FieldError> {
  if (status) {
    const type = textOf(schema, "type");
    const allowed = new Set(AT_ROOT_WITH_STATUS.split(" "));
    if (type !== "" && type !== "object") {
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      yield invalid(child(path, "type"), type, why);
    } else if ([...goKeyword].some(([keyword, go]) => !allowed.has(go) && says(schema, keyword))) {
      const why = `only [${AT_ROOT_WITH_STATUS}] fields are allowed at the root of the schema if the status subresource is enabled`;
      yield invalid(path, internalSchema(schema), why);
    }
  }
  if (isTrue(schema, "nullable")) yield forbiddenField(child(path, "nullable"), "nullable cannot be true at the root");
}

/** What keeps a schema from being read as a structural one at all. */
function unreadableAt(schema: JsonObject): string | undefined {
  for (const [keyword, name] of [
    ["id", "id"],
    ["$schema", "schema"],
    ["$ref", "$ref"],
  ] as const) {
    if (says(schema, keyword)) return `OpenAPIV3Schema '${name}' is not supported`;
  }
  for (const keyword of ["patternProperties", "dependencies", "additionalItems", "definitions"]) {
    if (written(schema, keyword)) return `OpenAPIV3Schema '${keyword}' is not supported`;
  }
  if (Array.isArray(getOwn(schema, "items"))) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (getOwn(schema, "x-kubernetes-preserve-unknown-fields") === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  const below = [
    ...["items", "additionalProperties", "not"]
      .map((key) => schemaAt(schema, key))
      .filter((inner) => inner !== undefined),
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => schemasAt(schema, key)),
    ...namedSchemas(schema, "properties").map(([, property]) => property),
  ];
  for (const inner of below) {
    const why = unreadableAt(inner);
    if (why !== undefined) return why;
  }
  return undefined;
}
