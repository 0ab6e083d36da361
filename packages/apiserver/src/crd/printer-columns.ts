import { compileJsonPath, humanDuration, jsonPathText, parseTime } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { count, text } from "../resources/object-fields.ts";
import type { ColumnDefinition, TableColumns } from "../resources/resource.ts";

const NAME: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "",
  priority: 0,
};

const AGE: JsonObject = {
  name: "Age",
  type: "date",
  description: "When the object was created.",
  jsonPath: ".metadata.creationTimestamp",
};

function cell(type: string, value: Json | undefined, now: number): Json {
  if (value === undefined) return null;
  if (type === "string") return jsonPathText(value);
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date": {
      if (typeof value !== "string") return null;
      if (value === "" || value === "null") return "<unknown>";
      const ms = parseTime(value);
      return ms === undefined ? "<invalid>" : humanDuration(now - ms);
    }
    default:
      return null;
  }
}

/** The columns of a custom resource: its name, then what `additionalPrinterColumns` say, or its age. */
export function printerColumns(declared: readonly JsonObject[]): TableColumns {
  const columns = (declared.length === 0 ? [AGE] : declared).map((column) => {
    const path = text(column, "jsonPath");
    const definition: ColumnDefinition = {
      name: text(column, "name"),
      type: text(column, "type"),
      format: text(column, "format"),
      description: text(column, "description") || `Custom resource definition column (in JSONPath format): ${path}`,
      priority: count(column, "priority"),
    };
    return { definition, find: compileJsonPath(path) };
  });
  return {
    definitions: [NAME, ...columns.map((c) => c.definition)],
    cells: (object, now) => [
      object.metadata.name ?? "",
      ...columns.map(({ definition, find }) => cell(definition.type, find(object)[0], now)),
    ],
  };
}
