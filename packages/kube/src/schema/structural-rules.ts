import { at, child, forbiddenField, formatFieldError, invalid, key as keyed, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { deepEqual } from "../json/equal.ts";
import { getOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { compilePattern } from "./pattern.ts";
import { isTrue, namedSchemas, says, schemaAt, schemasAt, textOf, written } from "./raw-schema.ts";

type Level = "root" | "item" | "field";

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

const INT_OR_STRING: Json = [{ type: "integer" }, { type: "string" }];

/** Keywords that a schema inside of anyOf and the like must leave to the schema around it. */
const NOT_NESTED: readonly (readonly [keyword: string, why: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

/** Why a schema is not structural: every value has one type, given outside of logical junctors. Sorted by text. */
export function structuralErrors(schema: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, "root", path, errors);
  checkJunctors(schema, schema, path, path, errors);
  return errors.sort((a, b) => (formatFieldError(a) < formatFieldError(b) ? -1 : 1));
}

function checkNode(schema: JsonObject, level: Level, path: FieldPath, errors: FieldError[]): void {
  const type = textOf(schema, "type");
  const items = schemaAt(schema, "items");
  const embedded = isTrue(schema, "x-kubernetes-embedded-resource");
  const preserve = isTrue(schema, "x-kubernetes-preserve-unknown-fields");
  const intOrString = isTrue(schema, "x-kubernetes-int-or-string");
  const properties = namedSchemas(schema, "properties");

  if (type === "array" && !items) errors.push(required(child(path, "items"), "must be specified"));
  if (items) checkNode(items, "item", child(path, "items"), errors);
  for (const [name, property] of properties)
    checkNode(property, "field", keyed(child(path, "properties"), name), errors);
  if (written(schema, "additionalProperties")) {
    const below = child(path, "additionalProperties");
    if (level === "root") errors.push(forbiddenField(below, "must not be used at the root"));
    const additional = schemaAt(schema, "additionalProperties");
    if (additional) checkNode(additional, "field", below, errors);
    if (embedded) errors.push(forbiddenField(below, "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (intOrString) {
    for (const [on, key] of [
      [preserve, "x-kubernetes-preserve-unknown-fields"],
      [embedded, "x-kubernetes-embedded-resource"],
    ] as const) {
      if (on) errors.push(invalid(child(path, key), true, "must be false if x-kubernetes-int-or-string is true"));
    }
  }
  const [first] = schemasAt(schema, "allOf");
  checkValidations(
    schema,
    deepEqual(getOwn(schema, "anyOf"), INT_OR_STRING),
    deepEqual(first && getOwn(first, "anyOf"), INT_OR_STRING),
    path,
    errors,
  );

  const typePath = child(path, "type");
  if (embedded && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(typePath, why) : invalid(typePath, type, why));
  } else if (type === "" && !intOrString && !preserve) {
    errors.push(required(typePath, EMPTY_TYPE[level]));
  }
  if (level === "root" && type !== "" && type !== "object")
    errors.push(invalid(typePath, type, "must be object at the root"));
  checkMetaProperties(properties, level, embedded, path, errors);
  if (embedded && !preserve && properties.length === 0) {
    errors.push(
      required(
        child(path, "properties"),
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      ),
    );
  }
}

function checkMetaProperties(
  properties: readonly (readonly [string, JsonObject])[],
  level: Level,
  embedded: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (level !== "root" && !embedded) return;
  for (const [name, property] of properties) {
    const below = keyed(child(path, "properties"), name);
    const type = textOf(property, "type");
    if ((name === "kind" || name === "apiVersion") && type !== "string") {
      errors.push(invalid(child(below, "type"), type, "must be string"));
    }
    if (name !== "metadata") continue;
    if (type !== "object") errors.push(invalid(child(below, "type"), type, "must be object"));
    if (level === "root" && !restrictsNamesOnly(property)) {
      errors.push(
        forbiddenField(
          below,
          "must not specify anything other than name and generateName, but metadata is implicitly specified",
        ),
      );
    }
  }
}

function restrictsNamesOnly(metadata: JsonObject): boolean {
  const names = namedSchemas(metadata, "properties").map(([name]) => name);
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  return Object.keys(metadata).every((key) => ["type", "default", "properties"].includes(key) || !says(metadata, key));
}

/** The part of a schema that may stand inside of a junctor: values, no structure. */
function checkValidations(
  schema: JsonObject,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  const nested = (key: string, skip: (index: number) => boolean): void => {
    for (const [i, part] of schemasAt(schema, key).entries())
      checkNested(part, skip(i), at(child(path, key), i), errors);
  };
  if (!skipAnyOf) nested("anyOf", () => false);
  nested("allOf", (i) => skipFirstAllOf && i === 0);
  nested("oneOf", () => false);
  const not = schemaAt(schema, "not");
  if (not) checkNested(not, false, child(path, "not"), errors);
  const pattern = textOf(schema, "pattern");
  if (pattern === "") return;
  try {
    compilePattern(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    errors.push(invalid(child(path, "pattern"), pattern, `must be a valid regular expression, but isn't: ${why}`));
  }
}

function checkNested(schema: JsonObject, skipAnyOf: boolean, path: FieldPath, errors: FieldError[]): void {
  checkValidations(schema, skipAnyOf, false, path, errors);
  const items = schemaAt(schema, "items");
  if (items) checkNested(items, false, child(path, "items"), errors);
  for (const [name, property] of namedSchemas(schema, "properties")) {
    const below = keyed(child(path, "properties"), name);
    checkNested(property, false, below, errors);
    if (name === "metadata") errors.push(forbiddenField(below, "must not be specified in a nested context"));
  }
  for (const [keyword, why] of NOT_NESTED) {
    if (keyword === "additionalProperties" ? written(schema, keyword) : says(schema, keyword)) {
      errors.push(forbiddenField(child(path, keyword), why));
    }
  }
}

/** Every field that a junctor speaks of must be declared outside of it. */
function checkJunctors(
  junctors: JsonObject,
  outer: JsonObject,
  outerPath: FieldPath,
  path: FieldPath,
  errors: FieldError[],
): void {
  const not = schemaAt(junctors, "not");
  if (not) checkDeclared(not, outer, outerPath, child(path, "not"), errors);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const [i, part] of schemasAt(junctors, key).entries()) {
      checkDeclared(part, outer, outerPath, at(child(path, key), i), errors);
    }
  }
}

function checkDeclared(
  inner: JsonObject,
  outer: JsonObject | undefined,
  outerPath: FieldPath,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (!outer) {
    errors.push(required(outerPath, `because it is defined in ${path}`));
    return;
  }
  checkJunctors(inner, outer, outerPath, path, errors);
  const items = schemaAt(inner, "items");
  if (items) checkDeclared(items, schemaAt(outer, "items"), child(outerPath, "items"), child(path, "items"), errors);
  const declared = new Map(namedSchemas(outer, "properties"));
  for (const [name, property] of namedSchemas(inner, "properties")) {
    const outside = keyed(child(outerPath, "properties"), name);
    checkDeclared(property, declared.get(name), outside, keyed(child(path, "properties"), name), errors);
  }
}
