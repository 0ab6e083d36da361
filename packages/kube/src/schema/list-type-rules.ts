import { child, forbiddenField, invalid, key as keyed, notSupported, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { isTrue, schemaAt, textOf, textsAt, written } from "./raw-schema.ts";

/** What is wrong with the `x-kubernetes-list-*` keywords of a schema. */
export function listTypeErrors(schema: JsonObject, path: FieldPath): FieldError[] {
  const keys = textsAt(schema, "x-kubernetes-list-map-keys");
  const listType = written(schema, "x-kubernetes-list-type") ? textOf(schema, "x-kubernetes-list-type") : undefined;
  const typePath = child(path, "x-kubernetes-list-type");
  const errors: FieldError[] = [];
  if (listType !== undefined) errors.push(...declaredErrors(schema, listType, path));
  if (keys.length > 0 && listType !== "map") {
    const why = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? required(typePath, why) : invalid(typePath, listType, why));
  }
  if (listType === "map") errors.push(...mapErrors(schema, keys, path));
  const items = schemaAt(schema, "items");
  if (items && (listType === "set" || listType === "map")) errors.push(...keyErrors(items, listType, keys, path));
  return errors;
}

function* declaredErrors(schema: JsonObject, listType: string, path: FieldPath): Generator<FieldError> {
  const type = textOf(schema, "type");
  const items = schemaAt(schema, "items");
  const itemsPath = child(path, "items");
  if (type !== "array") {
    const why = "must be array if x-kubernetes-list-type is specified";
    yield type === "" ? required(child(path, "type"), why) : invalid(child(path, "type"), type, why);
  } else if (listType === "set" && items) {
    const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    const inner = getOwn(items, "x-kubernetes-list-type") ?? null;
    if (textOf(items, "type") === "array" && inner !== null && inner !== "atomic") {
      yield invalid(child(itemsPath, "x-kubernetes-list-type"), inner, why);
    }
    if (textOf(items, "type") === "object" && getOwn(items, "x-kubernetes-map-type") !== "atomic") {
      yield invalid(child(itemsPath, "x-kubernetes-map-type"), inner, why);
    }
  }
  if (!["atomic", "set", "map"].includes(listType)) {
    yield notSupported(child(path, "x-kubernetes-list-type"), listType, ["atomic", "set", "map"]);
  }
}

function* mapErrors(schema: JsonObject, keys: readonly string[], path: FieldPath): Generator<FieldError> {
  const keysPath = child(path, "x-kubernetes-list-map-keys");
  const itemsPath = child(path, "items");
  const items = schemaAt(schema, "items");
  if (keys.length === 0) yield required(keysPath, "must not be empty if x-kubernetes-list-type is map");
  if (!written(schema, "items")) yield required(itemsPath, "must have a schema if x-kubernetes-list-type is map");
  if (!items) return;
  const type = textOf(items, "type");
  if (type !== "object") {
    yield invalid(child(itemsPath, "type"), type, "must be object if parent array's x-kubernetes-list-type is map");
    return;
  }
  const seen = new Set<string>();
  for (const name of keys) {
    const property = getOwn(schemaAt(items, "properties") ?? {}, name);
    if (!isObject(property)) {
      yield invalid(keysPath, [...keys], "entries must all be names of item properties");
    } else if (["array", "object"].includes(textOf(property, "type"))) {
      const place = child(keyed(child(itemsPath, "properties"), name), "type");
      yield invalid(place, type, "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (seen.has(name)) yield invalid(keysPath, [...keys], "must not contain duplicate entries");
    seen.add(name);
  }
}

/** Items of sets and maps are never null, and keys are always there. */
function* keyErrors(
  items: JsonObject,
  listType: string,
  keys: readonly string[],
  path: FieldPath,
): Generator<FieldError> {
  const itemsPath = child(path, "items");
  if (isTrue(items, "nullable")) {
    yield forbiddenField(child(itemsPath, "nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
  if (listType !== "map") return;
  const demanded = new Set(textsAt(items, "required"));
  for (const name of keys) {
    const property = getOwn(schemaAt(items, "properties") ?? {}, name);
    if (!isObject(property)) continue;
    const place = keyed(child(itemsPath, "properties"), name);
    if (!demanded.has(name) && !written(property, "default")) {
      const why = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      yield required(child(place, "default"), why);
    }
    if (isTrue(property, "nullable")) {
      yield forbiddenField(
        child(place, "nullable"),
        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
      );
    }
  }
}
