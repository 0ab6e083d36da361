import {
  at,
  child,
  invalid,
  isConfigMapKey,
  isDNS1123Label,
  isDNS1123Subdomain,
  isRelaxedEnvVarName,
  nameIsDNSSubdomain,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { struct, structOf, structs, text } from "../resources/object-fields.ts";
import { ENV_FIELDS, fieldRefErrors, resourceFieldRefErrors } from "./downward-api-validation.ts";
import { noBackstepErrors } from "./path-validation.ts";

const SEVERAL = "may not have more than one field specified at a time";

function keyRefErrors(ref: JsonObject, path: FieldPath): FieldError[] {
  const [name, key] = [text(ref, "name"), text(ref, "key")];
  return [
    ...isDNS1123Subdomain(name).map((why) => invalid(child(path, "name"), name, why)),
    ...(key === ""
      ? [required(child(path, "key"))]
      : isConfigMapKey(key).map((why) => invalid(child(path, "key"), key, why))),
  ];
}

function fileKeyRefErrors(ref: JsonObject, path: FieldPath): FieldError[] {
  const rules: readonly (readonly [string, (value: string, path: FieldPath) => FieldError[]])[] = [
    ["key", (value, p) => isRelaxedEnvVarName(value).map((why) => invalid(p, value, why))],
    ["volumeName", (value, p) => isDNS1123Label(value).map((why) => invalid(p, value, why))],
    ["path", noBackstepErrors],
  ];
  return rules.flatMap(([field, rule]) => {
    const value = text(ref, field);
    return value === "" ? [required(child(path, field))] : rule(value, child(path, field));
  });
}

const SOURCES: readonly (readonly [string, (ref: JsonObject, path: FieldPath) => FieldError[]])[] = [
  ["fieldRef", (ref, path) => fieldRefErrors(ref, path, ENV_FIELDS)],
  ["resourceFieldRef", (ref, path) => resourceFieldRefErrors(ref, path, false)],
  ["configMapKeyRef", keyRefErrors],
  ["secretKeyRef", keyRefErrors],
  ["fileKeyRef", fileKeyRefErrors],
];

function valueFromErrors(variable: JsonObject, path: FieldPath): FieldError[] {
  const from = struct(variable, "valueFrom");
  if (!from) return [];
  const found = SOURCES.filter(([name]) => struct(from, name) !== undefined);
  const errors = found.flatMap(([name, rule]) => rule(structOf(from, name), child(path, name)));
  if (found.length === 0) {
    const why =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.push(invalid(path, "", why));
  } else if (text(variable, "value") !== "") {
    errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (found.length > 1) {
    errors.push(invalid(path, "", SEVERAL));
  }
  return errors;
}

export function envErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return structs(container, "env").flatMap((variable, i) => {
    const place = at(path, i);
    const name = text(variable, "name");
    return [
      ...(name === ""
        ? [required(child(place, "name"))]
        : isRelaxedEnvVarName(name).map((why) => invalid(child(place, "name"), name, why))),
      ...valueFromErrors(variable, child(place, "valueFrom")),
    ];
  });
}

export function envFromErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return structs(container, "envFrom").flatMap((source, i) => {
    const place = at(path, i);
    const prefix = text(source, "prefix");
    const refs = ["configMapRef", "secretRef"].filter((name) => struct(source, name) !== undefined);
    const errors =
      prefix === "" ? [] : isRelaxedEnvVarName(prefix).map((why) => invalid(child(place, "prefix"), prefix, why));
    for (const ref of refs) {
      const name = text(struct(source, ref), "name");
      const field = child(place, ref, "name");
      if (name === "") errors.push(required(field));
      else errors.push(...nameIsDNSSubdomain(name, true).map((why) => invalid(field, name, why)));
    }
    if (refs.length === 0) errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    else if (refs.length > 1) errors.push(invalid(path, "", SEVERAL));
    return errors;
  });
}
