import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { CrdVersion, CrdView } from "./crd-view.ts";

const OBJECT_META: JsonObject = {
  description: "Name, labels and the other metadata that every object has.",
  allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
};
const API_VERSION: JsonObject = {
  description: "The group and version of the API that this object is written in.",
  type: "string",
};
const KIND: JsonObject = { description: "The kind of this object, in CamelCase.", type: "string" };
const INT_OR_STRING: Json = [{ type: "integer" }, { type: "string" }];

const SCHEMAS = ["items", "additionalProperties", "not"] as const;
const LISTS = ["allOf", "anyOf", "oneOf"] as const;

/** The schema as clients see it: what the server adds by itself is written out. */
function published(schema: JsonObject, root: boolean): JsonObject {
  const out: JsonObject = { ...schema };
  for (const key of SCHEMAS) if (isObject(out[key])) out[key] = published(out[key], false);
  for (const key of LISTS) {
    if (Array.isArray(out[key])) out[key] = out[key].map((item) => (isObject(item) ? published(item, false) : item));
  }
  if (isObject(schema["properties"])) {
    out["properties"] = Object.fromEntries(
      Object.entries(schema["properties"]).map(([name, value]) => [
        name,
        isObject(value) ? published(value, false) : value,
      ]),
    );
  }
  if (schema["x-kubernetes-int-or-string"] === true) unfoldIntOrString(out);
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  if (root || embedded) {
    out["properties"] = {
      ...(isObject(out["properties"]) && out["properties"]),
      apiVersion: API_VERSION,
      kind: KIND,
      metadata: OBJECT_META,
    };
  }
  if (embedded)
    out["required"] = [...new Set([...(Array.isArray(out["required"]) ? out["required"] : []), "kind", "apiVersion"])];
  return out;
}

function unfoldIntOrString(out: JsonObject): void {
  const first = Array.isArray(out["allOf"]) ? out["allOf"][0] : undefined;
  const nested = isObject(first) && Array.isArray(first["anyOf"]);
  if (nested) return;
  if (out["anyOf"] === undefined) out["anyOf"] = INT_OR_STRING;
}

/** The OpenAPI v3 schema of one version, as it is published. */
export function publishedSchema(view: CrdView, version: CrdVersion): JsonObject {
  const schema = published(version.schema ?? { type: "object" }, true);
  const gvk = { group: view.group, kind: view.names.kind, version: version.name };
  return {
    ...schema,
    "x-kubernetes-group-version-kind": [gvk],
    ...(version.selectableFields.length > 0 && {
      "x-kubernetes-selectable-fields": version.selectableFields.map((path) => ({
        fieldPath: path.replace(/^\./, ""),
      })),
    }),
  };
}
