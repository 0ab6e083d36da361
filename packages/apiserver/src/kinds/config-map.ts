import { deepEqual, forbiddenField, getOwn, invalid, isConfigMapKey, key, tooLong } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { entries, flag, struct } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { age, columns } from "./columns.ts";

/** The most that the values of a ConfigMap or Secret may hold together. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** Changes to fields that `immutable: true` has frozen. */
export function immutableDataErrors(object: KubeObject, old: KubeObject, fields: readonly string[]): FieldError[] {
  if (!flag(old, "immutable")) return [];
  const why = "field is immutable when `immutable` is set";
  const errors = flag(object, "immutable") ? [] : [forbiddenField("immutable", why)];
  for (const field of fields) {
    if (!deepEqual(object[field], old[field])) errors.push(forbiddenField(field, why));
  }
  return errors;
}

function dataErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const binary = struct(object, "binaryData") ?? {};
  let size = 0;
  for (const [name, value] of entries(object, "data")) {
    errors.push(...isConfigMapKey(name).map((why) => invalid(key("data", name), name, why)));
    if (getOwn(binary, name) !== undefined) {
      errors.push(invalid(key("data", name), name, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value as string);
  }
  for (const [name, value] of Object.entries(binary)) {
    errors.push(...isConfigMapKey(name).map((why) => invalid(key("binaryData", name), name, why)));
    size += Buffer.byteLength(value as string, "base64");
  }
  if (size > MAX_DATA_BYTES) errors.push({ ...tooLong("data", MAX_DATA_BYTES), field: "[]" });
  return errors;
}

export function configMaps(): Resource {
  return builtIn({
    group: "",
    kind: "ConfigMap",
    resource: "configmaps",
    namespaced: true,
    shortNames: ["cm"],
    versions: [
      {
        version: "v1",
        columns: columns(["Name", "Data", "Age"], (object, now) => [
          object.metadata.name ?? "",
          entries(object, "data").length + entries(object, "binaryData").length,
          age(object, now),
        ]),
      },
    ],
    strategy: {
      validate: dataErrors,
      validateChange: (object, old) => immutableDataErrors(object, old, ["data", "binaryData"]),
    },
  });
}
