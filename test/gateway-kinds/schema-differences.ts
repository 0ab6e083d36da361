import { isDeepStrictEqual } from "node:util";
import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** Everything that a schema can say about a value, but for what is meant for readers. */
const KEYWORDS = [
  "type",
  "format",
  "enum",
  "required",
  "default",
  "pattern",
  "nullable",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
] as const;

/** Where two schemas differ, as lines. Rules are only compared by where they stand: what they mean is for objects to show. */
export function schemaDifferences(ours: JsonObject, theirs: JsonObject, path = ""): string[] {
  const found: string[] = [];
  for (const keyword of KEYWORDS) {
    const [a, b] = [unordered(keyword, ours[keyword]), unordered(keyword, theirs[keyword])];
    if (!isDeepStrictEqual(a, b)) {
      found.push(`${path}: ${keyword} is ${JSON.stringify(a)} here, ${JSON.stringify(b)} upstream`);
    }
  }
  const rules = "x-kubernetes-validations";
  if (Object.hasOwn(ours, rules) !== Object.hasOwn(theirs, rules)) {
    found.push(`${path}: has rules ${Object.hasOwn(ours, rules) ? "here" : "upstream"} only`);
  }
  const [a, b] = [children(ours), children(theirs)];
  for (const step of new Set([...a.keys(), ...b.keys()])) {
    const [mine, other] = [a.get(step), b.get(step)];
    if (mine && other) found.push(...schemaDifferences(mine, other, `${path}${step}`));
    else found.push(`${path}${step}: is ${mine ? "here" : "upstream"} only`);
  }
  return found;
}

function unordered(keyword: string, value: Json | undefined): Json | undefined {
  return Array.isArray(value) && (keyword === "required" || keyword === "enum") ? value.map(String).toSorted() : value;
}

function children(schema: JsonObject): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const { properties, items, additionalProperties } = schema;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(property)) found.set(`.${name}`, property);
  }
  if (isObject(items)) found.set("[]", items);
  if (isObject(additionalProperties)) found.set(".*", additionalProperties);
  return found;
}
