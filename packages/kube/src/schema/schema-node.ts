import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { enforcedFormat } from "./formats.ts";

/** One `x-kubernetes-validations` entry. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  /** Undefined is not the same as false: setting it at all is an error for rules that do not use oldSelf. */
  readonly optionalOldSelf: boolean | undefined;
}

/**
 * One node of an `openAPIV3Schema`, immutable and ready to be walked. Nodes inside `allOf`, `anyOf`, `oneOf` and `not` have
 * the same shape; a legal schema leaves their structural part empty.
 */
export interface SchemaNode {
  /** The schema as it was written. */
  readonly source: JsonObject;
  /** Empty where the schema gives none. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: Json | undefined;
  /** As written. `checkedFormat` is what is enforced. */
  readonly format: string;
  readonly checkedFormat: string;
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  readonly additional: SchemaNode | boolean | undefined;
  readonly items: SchemaNode | undefined;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
  readonly required: readonly string[];
  readonly enum: readonly Json[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** What lies at or below this node: lets walkers skip subtrees that cannot concern them. */
  readonly holds: {
    readonly defaults: boolean;
    readonly keyedLists: boolean;
    readonly embedded: boolean;
    readonly rules: boolean;
  };
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Json | undefined): number | undefined => (typeof value === "number" ? value : undefined);
const flag = (value: Json | undefined): boolean => value === true;
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const strings = (value: Json | undefined): readonly string[] => list(value).filter((v) => typeof v === "string");

function nodes(value: Json | undefined): readonly SchemaNode[] {
  return list(value).map((schema) => parseSchema(isObject(schema) ? schema : {}));
}

function child(value: Json | undefined): SchemaNode | undefined {
  return isObject(value) ? parseSchema(value) : undefined;
}

function properties(value: Json | undefined): ReadonlyMap<string, SchemaNode> | undefined {
  if (!isObject(value)) return undefined;
  return new Map(Object.keys(value).map((name) => [name, child(value[name]) ?? parseSchema({})]));
}

function rule(value: Json): ValidationRule {
  const from = isObject(value) ? value : {};
  return {
    rule: text(from["rule"]),
    message: text(from["message"]),
    messageExpression: text(from["messageExpression"]),
    reason: typeof from["reason"] === "string" ? from["reason"] : undefined,
    fieldPath: text(from["fieldPath"]),
    optionalOldSelf: typeof from["optionalOldSelf"] === "boolean" ? from["optionalOldSelf"] : undefined,
  };
}

/**
 * Reads a schema. Never fails: what is not legal is for {@link validateSchema} to tell, and a keyword of the wrong type
 * counts as absent.
 */
export function parseSchema(schema: JsonObject): SchemaNode {
  const type = text(schema["type"]);
  const format = text(schema["format"]);
  const intOrString = flag(schema["x-kubernetes-int-or-string"]);
  const additional = schema["additionalProperties"];
  const node = {
    source: schema,
    type,
    nullable: flag(schema["nullable"]),
    default: schema["default"] ?? undefined,
    format,
    checkedFormat: enforcedFormat(intOrString ? "int-or-string" : type, format),
    properties: properties(schema["properties"]),
    additional: typeof additional === "boolean" ? additional : child(additional),
    items: child(schema["items"]),
    preserveUnknown: flag(schema["x-kubernetes-preserve-unknown-fields"]),
    embedded: flag(schema["x-kubernetes-embedded-resource"]),
    intOrString,
    listType: schema["x-kubernetes-list-type"] === undefined ? undefined : text(schema["x-kubernetes-list-type"]),
    listMapKeys: strings(schema["x-kubernetes-list-map-keys"]),
    mapType: schema["x-kubernetes-map-type"] === undefined ? undefined : text(schema["x-kubernetes-map-type"]),
    rules: list(schema["x-kubernetes-validations"]).map(rule),
    required: strings(schema["required"]),
    enum: list(schema["enum"]),
    minimum: number(schema["minimum"]),
    maximum: number(schema["maximum"]),
    exclusiveMinimum: flag(schema["exclusiveMinimum"]),
    exclusiveMaximum: flag(schema["exclusiveMaximum"]),
    multipleOf: number(schema["multipleOf"]),
    minLength: number(schema["minLength"]),
    maxLength: number(schema["maxLength"]),
    pattern: text(schema["pattern"]),
    minItems: number(schema["minItems"]),
    maxItems: number(schema["maxItems"]),
    uniqueItems: flag(schema["uniqueItems"]),
    minProperties: number(schema["minProperties"]),
    maxProperties: number(schema["maxProperties"]),
    allOf: nodes(schema["allOf"]),
    anyOf: nodes(schema["anyOf"]),
    oneOf: nodes(schema["oneOf"]),
    not: child(schema["not"]),
  };
  const below = [...structuralChildren(node)];
  return {
    ...node,
    holds: {
      defaults: node.default !== undefined || below.some((n) => n.holds.defaults),
      keyedLists: node.listType === "set" || node.listType === "map" || below.some((n) => n.holds.keyedLists),
      embedded: node.embedded || below.some((n) => n.holds.embedded),
      rules: node.rules.length > 0 || below.some((n) => n.holds.rules),
    },
  };
}

function* structuralChildren(node: Pick<SchemaNode, "properties" | "additional" | "items">): Generator<SchemaNode> {
  if (node.properties) yield* node.properties.values();
  if (typeof node.additional === "object") yield node.additional;
  if (node.items) yield node.items;
}

/** The schema of values under a key, declared or not; undefined where the schema says nothing of it. */
export function fieldNode(node: SchemaNode, key: string): SchemaNode | undefined {
  return node.properties?.get(key) ?? (typeof node.additional === "object" ? node.additional : undefined);
}
