import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** A field of a kind, as a line of its reference. */
export interface SchemaRow {
  /** `spec.ports[].name`, `spec.labels.*`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: Json | undefined;
  readonly constraints: readonly string[];
  readonly description: string;
}

/** A rule and the field that it is about. */
export interface RuleRow {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** The fields at and below a part of a schema, parents first, in the order in which they were defined. */
export function schemaRows(schema: JsonObject, path: string, required: boolean): SchemaRow[] {
  const row: SchemaRow = {
    path,
    type: typeName(schema),
    required,
    default: schema["default"],
    constraints: constraintsOf(schema),
    description: typeof schema["description"] === "string" ? schema["description"] : "",
  };
  return [row, ...children(schema, path).flatMap((child) => child.rows())];
}

/** The CEL rules at and below a part of a schema. */
export function ruleRows(schema: JsonObject, path: string): RuleRow[] {
  const rules = Array.isArray(schema["x-kubernetes-validations"]) ? schema["x-kubernetes-validations"] : [];
  const own = rules
    .filter(isObject)
    .map(({ rule, message }) => ({ path, rule: String(rule), message: String(message) }));
  return [...own, ...children(schema, path).flatMap((child) => ruleRows(child.schema, child.path))];
}

interface Child {
  readonly path: string;
  readonly schema: JsonObject;
  rows(): SchemaRow[];
}

/** Items and values that are scalars are told by the type of their parent. */
function children(schema: JsonObject, path: string): Child[] {
  const demanded = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const found: Child[] = [];
  for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
    const place = path === "" ? name : `${path}.${name}`;
    if (isObject(property)) {
      found.push({ path: place, schema: property, rows: () => schemaRows(property, place, demanded.has(name)) });
    }
  }
  for (const [keyword, mark] of [
    ["items", "[]"],
    ["additionalProperties", ".*"],
  ] as const) {
    const inner = schema[keyword];
    if (isObject(inner)) {
      const place = `${path}${mark}`;
      found.push({ path: place, schema: inner, rows: () => schemaRows(inner, place, false).slice(1) });
    }
  }
  return found;
}

function typeName(schema: JsonObject): string {
  const { items, additionalProperties } = schema;
  const suffix = schema["nullable"] === true ? " or null" : "";
  if (schema["x-kubernetes-int-or-string"] === true) return `integer or string${suffix}`;
  if (isObject(items)) return `list of ${typeName(items)}${suffix}`;
  if (isObject(additionalProperties)) return `map of ${typeName(additionalProperties)}${suffix}`;
  const type = typeof schema["type"] === "string" ? schema["type"] : "any";
  return `${type}${typeof schema["format"] === "string" ? ` (${schema["format"]})` : ""}${suffix}`;
}

function constraintsOf(schema: JsonObject): string[] {
  const texts: string[] = [];
  const choices = schema["enum"];
  if (Array.isArray(choices)) texts.push(`one of ${choices.map((choice) => `\`${String(choice)}\``).join(", ")}`);
  for (const [least, most, unit] of [
    ["minimum", "maximum", ""],
    ["minLength", "maxLength", " characters"],
    ["minItems", "maxItems", " items"],
    ["minProperties", "maxProperties", " entries"],
  ] as const) {
    const [low, high] = [schema[least], schema[most]];
    if (low === 1 && unit !== "") texts.push("not empty");
    else if (typeof low === "number")
      texts.push(`${schema["exclusiveMinimum"] === true ? "above" : "at least"} ${low}${unit}`);
    if (typeof high === "number")
      texts.push(`${schema["exclusiveMaximum"] === true ? "below" : "at most"} ${high}${unit}`);
  }
  if (typeof schema["multipleOf"] === "number") texts.push(`a multiple of ${schema["multipleOf"]}`);
  if (typeof schema["pattern"] === "string") texts.push(`matches \`${schema["pattern"]}\``);
  if (schema["x-kubernetes-list-type"] === "set") texts.push("no item twice");
  const keys = schema["x-kubernetes-list-map-keys"];
  if (Array.isArray(keys)) texts.push(`no two with the same ${keys.join(" and ")}`);
  const items = schema["items"] ?? schema["additionalProperties"];
  if (isObject(items)) {
    const inner = typeof items["type"] === "string" && items["type"] !== "object" ? constraintsOf(items) : [];
    if (inner.length > 0) texts.push(`each: ${inner.join(", ")}`);
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) texts.push("other fields are kept");
  return texts;
}
