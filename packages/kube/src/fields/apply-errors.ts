import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { formatGoValue } from "../patch/go-value.ts";
import type { ListType, ObjectType, ScalarType, TypeNode } from "../type-node.ts";
import { UnnamedItem, itemNaming } from "./list-item.ts";
import { fieldElement, formatElement } from "./path-element.ts";

/**
 * What keeps a configuration from being applied: undeclared fields, wrong types, items without identity or with the same
 * one. Texts start with the path; empty when all is well.
 */
export function applyErrors(applied: JsonObject, type: ObjectType): string[] {
  return errorsOf(applied, type).map(({ path, text }) => (path === "" ? text : `${path}: ${text}`));
}

interface TypeError {
  readonly path: string;
  readonly text: string;
}

const none: readonly TypeError[] = [];

function errorsOf(value: Json, type: TypeNode): readonly TypeError[] {
  if (value === null) return none;
  switch (type.kind) {
    case "any":
      return none;
    case "scalar": {
      const text = scalarError(value, type);
      return text === undefined ? none : [{ path: "", text }];
    }
    case "list":
      if (!Array.isArray(value)) return [{ path: "", text: `expected list, got ${shown(value)}` }];
      return listErrors(value, type);
    case "object":
      if (!isObject(value)) return [{ path: "", text: `expected map, got ${shown(value)}` }];
      return objectErrors(value, type);
  }
}

function objectErrors(object: JsonObject, type: ObjectType): readonly TypeError[] {
  let errors: TypeError[] | undefined;
  for (const key in object) {
    const child = type.field(key)?.type ?? type.elements;
    if (child === undefined) {
      if (type.preserveUnknown) continue;
      return [...(errors ?? []), { path: formatElement(fieldElement(key)), text: "field not declared in schema" }];
    }
    const found = errorsOf(object[key]!, child);
    if (found.length > 0) (errors ??= []).push(...found.map((error) => below(formatElement(fieldElement(key)), error)));
  }
  return errors ?? none;
}

function listErrors(list: readonly Json[], type: ListType): readonly TypeError[] {
  const errors: TypeError[] = [];
  const nameOf = type.mode === "atomic" ? undefined : itemNaming(type);
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    let element = `i:${index}`;
    if (nameOf !== undefined) {
      try {
        element = nameOf(item);
        if (seen.has(element)) errors.push({ path: "", text: `duplicate entries for key ${formatElement(element)}` });
        seen.add(element);
      } catch (error) {
        if (!(error instanceof UnnamedItem)) throw error;
        return [...errors, { path: "", text: `element ${index}: ${error.message}` }];
      }
    }
    for (const error of errorsOf(item, type.element)) errors.push(below(formatElement(element), error));
  }
  return errors;
}

function below(step: string, error: TypeError): TypeError {
  return { path: step + error.path, text: error.text };
}

function scalarError(value: Json, type: ScalarType): string | undefined {
  const plainText = type.scalar === "string" && (type.format === undefined || type.format === "byte");
  if (plainText)
    return typeof value === "string"
      ? undefined
      : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
  if (type.scalar === "integer" || type.scalar === "number") {
    return typeof value === "number" ? undefined : `expected numeric (int or float), got ${goType(value)}`;
  }
  if (type.scalar === "boolean")
    return typeof value === "boolean" ? undefined : `expected boolean, got ${shown(value)}`;
  return typeof value === "object" ? `expected any scalar, got ${shown(value)}` : undefined;
}

function shown(value: Json): string {
  return `&{${formatGoValue(value)}}`;
}

function goType(value: Json): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key]!)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}
