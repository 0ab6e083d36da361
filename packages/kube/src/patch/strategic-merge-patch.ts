import { getOwn, isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { FieldType, ObjectType, TypeNode } from "../type-node.ts";
import { badRequest } from "../status.ts";
import { formatGoValue, goType } from "./go-value.ts";
import { patchFailed } from "./patch-error.ts";
import { mergeList } from "./strategic-list.ts";
import { orderElements, requireSameOrder } from "./strategic-order.ts";
import { withoutNulls } from "./without-nulls.ts";

const PATCH = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
const SET_ORDER = "$setElementOrder";

/**
 * Applies a strategic merge patch to an object of a known type: lists whose field says `merge` are merged by their key,
 * others replaced, and the `$` directives are obeyed. Throws StatusError. Neither argument is changed.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, type: ObjectType): JsonObject {
  return mergeObject(document, patch, type);
}

function mergeObject(original: JsonObject, patch: JsonObject, type: TypeNode | undefined): JsonObject {
  const directive = getOwn(patch, PATCH);
  if (directive !== undefined) return replaceOrDelete(directive, patch);
  const result = { ...original };
  const rest = { ...patch };
  retainKeys(result, rest);
  for (const key of Object.keys(patch)) if (key.startsWith(SET_ORDER)) mergeInOrder(result, rest, key, type);
  for (const key of Object.keys(rest)) mergeKey(result, key, rest[key]!, type);
  return result;
}

function replaceOrDelete(directive: Json, patch: JsonObject): JsonObject {
  if (directive === "delete") return {};
  if (directive !== "replace")
    throw patchFailed(`unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(patch)}`);
  const result = { ...patch };
  delete result[PATCH];
  return result;
}

/** Drops what `$retainKeys` does not list. Everything that the patch sets must be listed. */
function retainKeys(result: JsonObject, patch: JsonObject): void {
  const listed = getOwn(patch, RETAIN_KEYS);
  if (listed === undefined) return;
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(listed)) throw badRequest("invalid patch format of retainKeys");
  const kept = new Set(listed);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER)) continue;
    if (!kept.has(key)) throw badRequest("invalid patch format of retainKeys");
  }
  for (const key of Object.keys(result)) if (!kept.has(key)) delete result[key];
}

/** Merges the list that a `$setElementOrder/field` names, and takes both out of what is left of the patch. */
function mergeInOrder(result: JsonObject, patch: JsonObject, key: string, type: TypeNode | undefined): void {
  const order = patch[key]!;
  delete patch[key];
  if (!Array.isArray(order)) throw patchFailed(`expected a []interface {}, but received a ${goType(order)}`);
  const name = targetOf(key, "invalid patch format of setElementOrder list");
  const live = listOrNone(getOwn(result, name));
  const wanted = listOrNone(getOwn(patch, name));
  const field = listField(type, name);
  requireSameOrder(wanted ?? [], order, field.key);
  if (live === undefined && wanted === undefined) return;
  delete patch[name];
  const merged =
    live === undefined
      ? (withoutDirectives(wanted!) as Json[])
      : wanted === undefined
        ? live
        : field.merges
          ? mergeList(live, wanted, field.key, (was, item) => mergeObject(was, item, field.element))
          : wanted;
  setOwn(result, name, orderElements(merged, order, live ?? [], field.key));
}

function mergeKey(result: JsonObject, key: string, wanted: Json, type: TypeNode | undefined): void {
  const deleting = key.startsWith(DELETE_FROM_LIST);
  const name = deleting ? targetOf(key, "invalid patch format of primitive list") : key;
  if (wanted === null) {
    delete result[name];
    return;
  }
  const current = getOwn(result, name);
  if (Array.isArray(current) && Array.isArray(wanted)) {
    const field = listField(type, name);
    if (deleting) {
      const gone = new Set(wanted);
      setOwn(
        result,
        name,
        current.filter((item) => !gone.has(item)),
      );
    } else if (!field.merges) setOwn(result, name, wanted);
    else
      setOwn(
        result,
        name,
        mergeList(current, wanted, field.key, (was, item) => mergeObject(was, item, field.element)),
      );
  } else if (deleting) {
    return;
  } else if (isObject(current) && isObject(wanted)) {
    const field = fieldOf(type, name);
    const replaced = field?.patchStrategy?.includes("replace") ?? false;
    setOwn(result, name, replaced ? wanted : mergeObject(current, wanted, field?.type ?? elementsOf(type)));
  } else {
    const value = withoutDirectives(withoutNulls(wanted));
    if (value === undefined) delete result[name];
    else setOwn(result, name, value);
  }
}

function targetOf(key: string, problem: string): string {
  const slash = key.indexOf("/");
  const prefix = key.slice(0, slash);
  if (slash < 0 || (prefix !== DELETE_FROM_LIST && prefix !== SET_ORDER)) throw badRequest(problem);
  return key.slice(slash + 1);
}

function listOrNone(value: Json | undefined): Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw patchFailed(`expected a []interface {}, but received a ${goType(value)}`);
}

function fieldOf(type: TypeNode | undefined, name: string): FieldType | undefined {
  return type?.kind === "object" ? type.field(name) : undefined;
}

function elementsOf(type: TypeNode | undefined): TypeNode | undefined {
  return type?.kind === "object" ? type.elements : undefined;
}

/** How a list field merges. Free-form data below a typed field has no fields to ask, and its lists are replaced. */
function listField(
  type: TypeNode | undefined,
  name: string,
): { merges: boolean; key: string; element: TypeNode | undefined } {
  const field = fieldOf(type, name);
  if (field === undefined && type?.kind === "object" && type.elements === undefined && !type.preserveUnknown) {
    throw patchFailed(`unable to find api field for the json field ${JSON.stringify(name)}`);
  }
  return {
    merges: field?.patchStrategy?.includes("merge") ?? false,
    key: field?.patchMergeKey ?? "",
    element: field?.type.kind === "list" ? field.type.element : undefined,
  };
}

/** A new value with everything dropped that carries a `$patch`; undefined when that is the value itself. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key]!);
    if (kept !== undefined) setOwn(result, key, kept);
  }
  return result;
}
