import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { BuiltinType } from "./builtin-type.ts";
import { structLayout } from "./layout.ts";
import type { FieldLayout, Layout } from "./layout.ts";

/**
 * Turns explicit empty lists and maps of fields that are always written into null, in place: protobuf, in which the server
 * stores most kinds, does not tell empty from none. Until an object is stored the difference counts, for an explicit empty
 * list is owned by who sent it.
 */
export function settleEmpty(object: JsonObject, type: BuiltinType): void {
  settleStruct(object, type.definition);
}

function settleStruct(object: JsonObject, name: string): void {
  for (const field of fieldsToVisit(name)) {
    const value = object[field.name];
    if (value === undefined || value === null) continue;
    if (isSettled(field) && isEmpty(value)) object[field.name] = null;
    else settleValue(value, field.layout);
  }
}

function settleValue(value: Json, layout: Layout): void {
  if (layout.kind === "struct") {
    if (isObject(value)) settleStruct(value, layout.name);
  } else if (layout.kind === "list") {
    if (Array.isArray(value)) for (const item of value) settleValue(item, layout.element);
  } else if (layout.kind === "map" && isObject(value)) {
    for (const item of Object.values(value)) settleValue(item, layout.element);
  }
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

const isSettled = ({ always, layout }: FieldLayout): boolean =>
  always && (layout.kind === "list" || layout.kind === "map");

const visited = new Map<string, readonly FieldLayout[]>();

/** The fields of a struct that may have to be settled, or that lead to some. Most structs have none. */
function fieldsToVisit(name: string): readonly FieldLayout[] {
  let fields = visited.get(name);
  if (fields) return fields;
  const struct = structLayout(name);
  // Only schemas hold structs of their own kind, and these are stored as JSON.
  fields = struct.keepsEmpty ? [] : struct.fields.filter((field) => isSettled(field) || leadsOn(field.layout));
  visited.set(name, fields);
  return fields;
}

function leadsOn(layout: Layout): boolean {
  if (layout.kind === "word") return false;
  return layout.kind === "struct" ? fieldsToVisit(layout.name).length > 0 : leadsOn(layout.element);
}
