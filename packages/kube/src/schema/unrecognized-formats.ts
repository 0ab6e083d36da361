import { isObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { enforcedFormat } from "./formats.ts";
import { namedSchemas, schemaAt, schemasAt, textOf } from "./raw-schema.ts";

/** The formats in a schema that nothing checks, in the order in which they are met. */
export function unrecognizedFormats(schema: JsonObject): string[] {
  const format = textOf(schema, "format");
  const own = format !== "" && enforcedFormat(textOf(schema, "type"), format) === "" ? [format] : [];
  const below = [
    schemaAt(schema, "items"),
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => schemasAt(schema, key)),
    schemaAt(schema, "not"),
    ...namedSchemas(schema, "properties").map(([, property]) => property),
    schemaAt(schema, "additionalProperties"),
  ].filter(isObject);
  return [...own, ...below.flatMap(unrecognizedFormats)];
}
