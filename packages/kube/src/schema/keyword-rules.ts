import { at, child, forbiddenField, invalid, key as keyed, notSupported, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { listTypeErrors } from "./list-type-rules.ts";
import { isTrue, namedSchemas, says, schemaAt, schemasAt, textOf, written } from "./raw-schema.ts";

/** Where a schema stands, as far as it decides what is allowed there. */
export interface SchemaScope {
  readonly root: boolean;
  /** Why defaults may not be set here; undefined where they may. */
  readonly defaultsForbidden: string | undefined;
  readonly insideMetadata: boolean;
  /** The list or map above whose parts cannot be matched with old ones: oldSelf has no meaning below it. */
  readonly uncorrelatable: FieldPath | undefined;
  /** How often values of this schema can occur at most; Infinity where nothing bounds it. Undefined where rules may not be. */
  readonly cardinality: number | undefined;
}

/** Judges the CEL rules of one schema; `legal` is false when its keywords are wrong already. */
export type RulesCheck = (
  schema: JsonObject,
  path: FieldPath,
  scope: SchemaScope,
  legal: boolean,
) => {
  readonly keyword: readonly FieldError[];
  readonly cel: readonly FieldError[];
};

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const UNSUPPORTED: readonly (readonly [keyword: string, path: string])[] = [
  ["id", "id"],
  ["additionalItems", "additionalItems"],
  ["patternProperties", "patternProperties"],
  ["definitions", "definitions"],
  ["dependencies", "dependencies"],
  ["$ref", "$ref"],
];
const META = ["metadata", "kind", "apiVersion"];

export const rootScope: SchemaScope = {
  root: true,
  defaultsForbidden: undefined,
  insideMetadata: false,
  uncorrelatable: undefined,
  cardinality: 1,
};

/** Which keywords of a schema are not legal, here and below: those of the schema first, then those of its CEL rules. */
export function keywordErrors(
  schema: JsonObject,
  path: FieldPath,
  scope: SchemaScope,
  rules: RulesCheck,
): FieldError[] {
  const found = { keyword: [] as FieldError[], cel: [] as FieldError[] };
  walk(schema, path, scope, rules, found);
  return [...found.keyword, ...found.cel];
}

interface Found {
  readonly keyword: FieldError[];
  readonly cel: FieldError[];
}

function walk(schema: JsonObject, path: FieldPath, scope: SchemaScope, rules: RulesCheck, found: Found): void {
  const own: Found = { keyword: [...ownErrors(schema, path, scope)], cel: [] };
  walkChildren(schema, path, scope, rules, own);
  own.keyword.push(...listTypeErrors(schema, path));
  if (says(schema, "x-kubernetes-validations")) {
    const judged = rules(schema, path, scope, own.keyword.length === 0);
    own.keyword.push(...judged.keyword);
    own.cel.push(...judged.cel);
  }
  found.keyword.push(...own.keyword);
  found.cel.push(...own.cel);
}

function* ownErrors(schema: JsonObject, path: FieldPath, scope: SchemaScope): Generator<FieldError> {
  const type = textOf(schema, "type");
  if (type !== "" && !TYPES.includes(type)) yield notSupported(child(path, "type"), type, TYPES);
  if (written(schema, "default") && scope.defaultsForbidden !== undefined) {
    yield forbiddenField(child(path, "default"), `must not be set ${scope.defaultsForbidden}`.trimEnd());
  }
  for (const [keyword, name] of UNSUPPORTED) {
    if (written(schema, keyword)) yield forbiddenField(child(path, name), `${name} is not supported`);
  }
  if (type === "null") {
    yield forbiddenField(child(path, "type"), "type cannot be set to null, use nullable as an alternative");
  }
  if (Array.isArray(getOwn(schema, "items"))) {
    yield forbiddenField(child(path, "items"), "items must be a schema object and not an array");
  }
  if (scope.insideMetadata && isTrue(schema, "x-kubernetes-embedded-resource")) {
    yield forbiddenField(child(path, "x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
  }
  if (isTrue(schema, "uniqueItems")) {
    yield forbiddenField(
      child(path, "uniqueItems"),
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    );
  }
  const additional = getOwn(schema, "additionalProperties") ?? undefined;
  if (additional !== undefined && additional !== true && namedSchemas(schema, "properties").length > 0) {
    yield forbiddenField(
      child(path, "additionalProperties"),
      "additionalProperties and properties are mutual exclusive",
    );
  }
  if (getOwn(schema, "x-kubernetes-preserve-unknown-fields") === false) {
    yield invalid(child(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
  }
  if (!written(schema, "x-kubernetes-map-type")) return;
  const mapType = textOf(schema, "x-kubernetes-map-type");
  if (type !== "object") {
    const why = "must be object if x-kubernetes-map-type is specified";
    yield type === "" ? required(child(path, "type"), why) : invalid(child(path, "type"), type, why);
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    yield notSupported(child(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"]);
  }
}

/** How many values a schema holds at most: what its children are multiplied by. */
function maxElements(schema: JsonObject): number {
  const bound = (key: string): number => {
    const value = getOwn(schema, key);
    return typeof value === "number" ? Math.max(0, value) : Infinity;
  };
  if (textOf(schema, "type") === "array") return bound("maxItems");
  return textOf(schema, "type") === "object" && written(schema, "additionalProperties") ? bound("maxProperties") : 1;
}

function walkChildren(schema: JsonObject, path: FieldPath, scope: SchemaScope, rules: RulesCheck, found: Found): void {
  const cardinality = scope.cardinality === undefined ? undefined : times(scope.cardinality, maxElements(schema));
  const below: SchemaScope = { ...scope, root: false, cardinality };
  const additional = schemaAt(schema, "additionalProperties");
  if (additional) {
    const reason = scope.insideMetadata
      ? "inside additionalProperties applying to object metadata"
      : below.defaultsForbidden;
    walk(additional, child(path, "additionalProperties"), { ...below, defaultsForbidden: reason }, rules, found);
  }
  const resource = scope.root || isTrue(schema, "x-kubernetes-embedded-resource");
  for (const [name, property] of namedSchemas(schema, "properties")) {
    let inner = below;
    if (resource && META.includes(name)) {
      const defaultsForbidden = scope.root ? `in top-level ${name}` : below.defaultsForbidden;
      inner = { ...below, insideMetadata: true, defaultsForbidden };
    }
    walk(property, keyed(child(path, "properties"), name), inner, rules, found);
  }
  const unruled: SchemaScope = { ...scope, root: false, cardinality: undefined };
  const not = schemaAt(schema, "not");
  if (not) walk(not, child(path, "not"), unruled, rules, found);
  for (const key of ["allOf", "oneOf", "anyOf"]) {
    for (const [i, part] of schemasAt(schema, key).entries())
      walk(part, at(child(path, key), i), unruled, rules, found);
  }
  for (const [name, definition] of namedSchemas(schema, "definitions")) {
    walk(definition, keyed(child(path, "definitions"), name), unruled, rules, found);
  }
  const uncorrelatable =
    textOf(schema, "x-kubernetes-list-type") === "map" ? scope.uncorrelatable : (scope.uncorrelatable ?? path);
  const items = schemaAt(schema, "items");
  if (items) walk(items, child(path, "items"), { ...below, uncorrelatable }, rules, found);
}

const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
