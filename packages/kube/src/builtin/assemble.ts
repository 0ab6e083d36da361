import { setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { structLayout } from "./layout.ts";
import type { FieldLayout, Layout, StructLayout } from "./layout.ts";

/**
 * Builds an object from decoded field values (by field index) as the server would write it: fields in the server's order,
 * zero values left out or put in exactly where it does so.
 */
export function assemble(struct: StructLayout, values: readonly (Json | undefined)[]): JsonObject {
  const object: JsonObject = {};
  for (let i = 0; i < struct.fields.length; i++) {
    const field = struct.fields[i]!;
    let value = values[i];
    if (value !== undefined && isZero(field, value)) value = undefined;
    if (value === undefined) value = absent(field);
    if (value !== undefined) object[field.name] = value;
  }
  return object;
}

function isZero(field: FieldLayout, value: Json): boolean {
  if (value === null) return true;
  const { kind } = field.layout;
  if (kind === "list") return (value as Json[]).length === 0 && !field.always;
  if (kind === "map") return isEmpty(value as JsonObject) && !field.always;
  if (field.pointer || kind !== "word" || !plain.has(field.layout.word)) return false;
  return value === "" || value === 0 || value === false;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function absent(field: FieldLayout): Json | undefined {
  const { layout } = field;
  if (field.omitZero) return undefined;
  if (field.pointer || layout.kind === "list" || layout.kind === "map") return field.always ? null : undefined;
  if (layout.kind === "word" && plain.has(layout.word)) return field.always ? zeroOf(layout) : undefined;
  return zeroOf(layout);
}

const plain: ReadonlySet<string> = new Set(["string", "bool", "int32", "int64", "float64", "bytes"]);

/** What the server writes for a value of a type that was never set. */
export function zeroOf(layout: Layout): Json {
  if (layout.kind === "struct") return assemble(structLayout(layout.name), []);
  if (layout.kind === "list" && layout.wrapped) return [];
  if (layout.kind !== "word") return null;
  switch (layout.word) {
    case "string":
    case "bytes":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "int-or-string":
      return 0;
    case "quantity":
      return "0";
    case "schema-or-bool":
      return false;
    default:
      return null;
  }
}

/** A map with its keys in the order in which the server writes them: by their bytes. */
export function sortedMap(entries: [key: string, value: Json][]): JsonObject {
  entries.sort(([a], [b]) => compareBytes(a, b));
  const map: JsonObject = {};
  for (const [key, value] of entries) setOwn(map, key, value);
  return map;
}

/** Code point order, which UTF-8 keeps and UTF-16 does not for pairs of surrogates. */
function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
