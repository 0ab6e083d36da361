import { at, child, deepEqual, duplicate, invalid, required, tooMany } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { followFieldPath, parseSchema, validateSchema } from "@gatewright/kube/schema";
import { flag, struct, structs, text } from "../resources/object-fields.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const MAX_SELECTABLE_FIELDS = 8;

/** The parts of a version that move to the top of the spec, for errors, when all versions have the same. */
type Part = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";
const TOP: Readonly<Record<Part, string>> = {
  schema: "validation",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};

/** Whether a part is the same in all versions, as it always is for a single one. */
function shared(versions: readonly JsonObject[], part: Part): boolean {
  const [first] = versions;
  const value = first?.[part];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
  return versions.every((version) => deepEqual(version[part], value));
}

/** Errors of one version, or of what all versions share (`version` undefined). */
function* partErrors(
  version: JsonObject,
  pathOf: (part: Part) => FieldPath | undefined,
  unchanged: boolean,
): Generator<FieldError> {
  const schemaPath = pathOf("schema");
  const schema = struct(version, "schema", "openAPIV3Schema");
  const status = struct(version, "subresources", "status") !== undefined;
  if (schemaPath !== undefined && schema) {
    yield* validateSchema(schema, child(schemaPath, "openAPIV3Schema"), { status, unchanged });
  }
  const subresourcesPath = pathOf("subresources");
  const scale = struct(version, "subresources", "scale");
  if (subresourcesPath !== undefined && scale) yield* scaleErrors(scale, subresourcesPath);
  const columnsPath = pathOf("additionalPrinterColumns");
  if (columnsPath !== undefined) {
    for (const [i, column] of structs(version, "additionalPrinterColumns").entries()) {
      yield* columnErrors(column, at(columnsPath, i));
    }
  }
  const selectablePath = pathOf("selectableFields");
  const fields = structs(version, "selectableFields");
  if (selectablePath !== undefined && fields.length > 0) yield* selectableErrors(fields, schema, selectablePath);
}

/** What is wrong inside of each version. `unchanged` says whether a version had the same schema before. */
export function* versionErrors(
  versions: readonly JsonObject[],
  nameErrors: (version: JsonObject, path: FieldPath) => Iterable<FieldError>,
  unchanged: (version: JsonObject) => boolean,
): Generator<FieldError> {
  for (const [i, version] of versions.entries()) {
    const path = at("spec.versions", i);
    yield* nameErrors(version, path);
    yield* deprecationErrors(version, child(path, "deprecationWarning"));
    yield* partErrors(version, (part) => (shared(versions, part) ? undefined : child(path, part)), unchanged(version));
  }
}

/** What is wrong with the parts that all versions share. */
export function* sharedErrors(
  versions: readonly JsonObject[],
  unchanged: (version: JsonObject) => boolean,
): Generator<FieldError> {
  const [first] = versions;
  if (!first) return;
  const pathOf = (part: Part): FieldPath | undefined => (shared(versions, part) ? child("spec", TOP[part]) : undefined);
  yield* partErrors(first, pathOf, versions.every(unchanged));
}

function* deprecationErrors(version: JsonObject, path: FieldPath): Generator<FieldError> {
  const warning = version["deprecationWarning"];
  if (typeof warning !== "string") return;
  if (!flag(version, "deprecated")) {
    yield invalid(path, warning, "can only be set for deprecated versions");
    return;
  }
  if (Buffer.byteLength(warning) > 256) yield invalid(path, warning, "must be <= 256 characters long");
  if (warning === "") yield invalid(path, warning, "must not be an empty string");
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (odd) {
    const index = Buffer.byteLength(warning.slice(0, odd.index));
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
    yield invalid(path, warning, why);
  }
}

function simplePathErrors(value: string, path: FieldPath): FieldError[] {
  return value.startsWith(".") ? [] : [invalid(path, value, "must be a simple json path starting with .")];
}

function* scaleErrors(scale: JsonObject, path: FieldPath): Generator<FieldError> {
  const check = function* (
    field: string,
    roots: readonly string[],
    where: string,
    needed: boolean,
  ): Generator<FieldError> {
    const [value, place] = [text(scale, field), child(path, `scale.${field}`)];
    if (value === "") {
      if (needed) yield required(place);
      return;
    }
    const wrong = simplePathErrors(value, place);
    if (wrong.length > 0) yield* wrong;
    else if (!roots.some((root) => value.startsWith(root)))
      yield invalid(place, value, `should be a json path under ${where}`);
  };
  yield* check("specReplicasPath", [".spec."], ".spec", true);
  yield* check("statusReplicasPath", [".status."], ".status", true);
  yield* check("labelSelectorPath", [".spec.", ".status."], "either .spec or .status", false);
}

function* columnErrors(column: JsonObject, path: FieldPath): Generator<FieldError> {
  const [type, format, jsonPath] = [text(column, "type"), text(column, "format"), text(column, "jsonPath")];
  if (text(column, "name") === "") yield required(child(path, "name"));
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (type === "") yield required(child(path, "type"), types);
  else if (!COLUMN_TYPES.includes(type)) yield invalid(child(path, "type"), type, types);
  if (format !== "" && !COLUMN_FORMATS.includes(format)) {
    yield invalid(child(path, "format"), format, `must be one of ${COLUMN_FORMATS.join(",")}`);
  }
  if (jsonPath === "") yield required(child(path, "JSONPath"));
  else yield* simplePathErrors(jsonPath, child(path, "JSONPath"));
}

function* selectableErrors(
  fields: readonly JsonObject[],
  schema: JsonObject | undefined,
  path: FieldPath,
): Generator<FieldError> {
  const root = parseSchema(schema ?? {});
  const seen = new Set<string>();
  for (const [i, field] of fields.entries()) {
    const place = child(at(path, i), "jsonPath");
    const jsonPath = text(field, "jsonPath");
    if (jsonPath === "") {
      yield required(place);
      continue;
    }
    const found = followFieldPath(jsonPath, root, { brackets: false });
    if (typeof found === "string") {
      yield invalid(place, jsonPath, `is an invalid path: ${found}`);
      continue;
    }
    if (/^metadata(?:\.|\[|$)/.test(found.path)) yield invalid(place, jsonPath, "must not point to fields in metadata");
    if (!["string", "boolean", "integer"].includes(found.node?.type ?? "")) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      yield invalid(place, jsonPath, why);
    }
    if (seen.has(found.path)) yield duplicate(place, jsonPath);
    seen.add(found.path);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) yield tooMany(path, seen.size, MAX_SELECTABLE_FIELDS);
}
