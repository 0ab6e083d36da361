import type { Word } from "../builtin/layout.ts";
import { structLayout } from "../builtin/layout.ts";
import { BodySyntaxError } from "../json/json-syntax.ts";
import type { Json } from "../json/json.ts";
import { parseJson } from "../json/strict-parse.ts";
import { canonicalQuantity, QuantityError } from "../quantity.ts";
import { decodeMessage } from "./decode-message.ts";
import { WireError } from "./wire.ts";
import type { WireReader } from "./wire.ts";

/** Reads a value of a type that is not a list, a map or a struct, in its JSON form. */
export function decodeWord(reader: WireReader, word: Word, depth: number): Json {
  switch (word) {
    case "string":
      return reader.string();
    case "bool":
      return reader.unsigned() !== 0;
    case "int32":
      return reader.int32();
    case "int64":
      return reader.int64();
    case "float64":
      return reader.double();
    case "bytes":
      return base64(reader.bytes());
    case "quantity":
      return quantity(reader.message());
    case "int-or-string":
      return intOrString(reader.message());
    case "time":
      return time(reader.message(), false);
    case "micro-time":
      return time(reader.message(), true);
    case "raw":
    case "json":
    case "fields":
      return rawJson(reader.message());
    case "schema-or-bool":
      return schemaOr(reader.message(), 2, depth) ?? true;
    case "schema-or-array":
    case "schema-or-strings":
      return schemaOr(reader.message(), 1, depth, word) ?? null;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function quantity(reader: WireReader): string {
  let text = "0";
  while (!reader.done) {
    const { number, wire } = reader.tag("Quantity");
    if (number === 1) text = reader.string();
    else reader.skip(wire);
  }
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new WireError(error.message);
    throw error;
  }
}

function intOrString(reader: WireReader): number | string {
  let [isText, number_, text] = [false, 0, ""];
  while (!reader.done) {
    const { number, wire } = reader.tag("IntOrString");
    if (number === 1) isText = reader.unsigned() === 1;
    else if (number === 2) number_ = reader.int32();
    else if (number === 3) text = reader.string();
    else reader.skip(wire);
  }
  return isText ? text : number_;
}

/** An empty message is no time at all. `metav1.Time` drops what is below a second. */
function time(reader: WireReader, micro: boolean): string | null {
  if (reader.done) return null;
  let [seconds, nanos] = [0, 0];
  while (!reader.done) {
    const { number, wire } = reader.tag("Timestamp");
    if (number === 1) seconds = reader.int64();
    else if (number === 2) nanos = reader.int32();
    else reader.skip(wire);
  }
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new WireError(`timestamp of ${seconds} seconds is out of range`);
  const text = date.toISOString().slice(0, -5);
  return micro ? `${text}.${String(Math.trunc(nanos / 1000)).padStart(6, "0")}Z` : `${text}Z`;
}

/** JSON that travels as bytes. It may nest no deeper than a body may. */
function rawJson(reader: WireReader): Json {
  let bytes: Uint8Array = new Uint8Array();
  while (!reader.done) {
    const { number, wire } = reader.tag("RawExtension");
    if (number === 1) bytes = reader.bytes();
    else reader.skip(wire);
  }
  if (bytes.length === 0) return null;
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (error instanceof BodySyntaxError) throw new WireError(error.message);
    throw error;
  }
}

/** The unions of JSON Schema: a schema in one field; a boolean, schemas or strings in the other. */
function schemaOr(reader: WireReader, schemaField: 1 | 2, depth: number, word?: Word): Json | undefined {
  let schema: Json | undefined;
  let allows: boolean | undefined;
  const items: Json[] = [];
  while (!reader.done) {
    const { number, wire } = reader.tag("JSONSchemaPropsOr");
    if (number === schemaField) schema = decodeMessage(reader.message(), schemaLayout(), depth + 1);
    else if (number === 1) allows = reader.unsigned() !== 0;
    else if (number === 2) {
      items.push(
        word === "schema-or-strings" ? reader.string() : decodeMessage(reader.message(), schemaLayout(), depth + 1),
      );
    } else reader.skip(wire);
  }
  if (items.length > 0) return items;
  return schema ?? allows;
}

function schemaLayout(): ReturnType<typeof structLayout> {
  return structLayout("apiextensions.v1.JSONSchemaProps");
}
