import { child, invalid, isQualifiedName, notSupported, quote, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { text } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";

/** Fields of a pod that its containers may read in environment variables. */
export const ENV_FIELDS: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Fields of a pod that its containers may read in files. */
export const FILE_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

const ALL_FIELDS = new Set([...ENV_FIELDS, ...FILE_FIELDS]);

const RESOURCES: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const SUBSCRIPT = /^(.+)\['([^']*)'\]$/;

export function fieldRefErrors(ref: JsonObject, path: FieldPath, fields: readonly string[]): FieldError[] {
  const field = text(ref, "fieldPath");
  if (text(ref, "apiVersion") === "") return [required(child(path, "apiVersion"))];
  if (field === "") return [required(child(path, "fieldPath"))];
  const [, base = field, key] = SUBSCRIPT.exec(field) ?? [];
  if (text(ref, "apiVersion") !== "v1") {
    const why = `error converting fieldPath: unsupported pod version: ${text(ref, "apiVersion")}`;
    return [invalid(child(path, "fieldPath"), field, why)];
  }
  if (key !== undefined) {
    if (base !== "metadata.annotations" && base !== "metadata.labels") {
      const why = `error converting fieldPath: field label does not support subscript: ${quote(field).slice(1, -1)}`;
      return [invalid(child(path, "fieldPath"), field, why)];
    }
    return isQualifiedName(base === "metadata.labels" ? key : key.toLowerCase()).map((why) => invalid(path, key, why));
  }
  if (!ALL_FIELDS.has(field)) {
    return [
      invalid(child(path, "fieldPath"), field, `error converting fieldPath: field label not supported: ${field}`),
    ];
  }
  return choiceErrors(field, fields, child(path, "fieldPath"));
}

export function resourceFieldRefErrors(ref: JsonObject, path: FieldPath, inVolume: boolean): FieldError[] {
  const resource = text(ref, "resource");
  if (inVolume && text(ref, "containerName") === "") return [required(child(path, "containerName"))];
  if (resource === "") return [required(child(path, "resource"))];
  if (RESOURCES.includes(resource) || /^(requests|limits)\.hugepages-/.test(resource)) return divisorErrors(ref, path);
  return [notSupported(child(path, "resource"), resource, RESOURCES)];
}

const DIVISOR = /^1(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

function divisorErrors(ref: JsonObject, path: FieldPath): FieldError[] {
  const [resource, divisor] = [text(ref, "resource"), text(ref, "divisor")];
  if (divisor === "" || divisor === "0") return [];
  const cpu = resource.endsWith(".cpu");
  if (cpu ? divisor === "1" || divisor === "1m" : DIVISOR.test(divisor)) return [];
  const what = cpu
    ? "cpu"
    : resource.endsWith(".memory")
      ? "memory"
      : resource.endsWith("storage")
        ? "local ephemeral storage"
        : "hugepages";
  const values = cpu ? "1m and 1" : "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
  return [
    invalid(
      child(path, "divisor"),
      resource,
      `only divisor's values ${values} are supported with the ${what} resource`,
    ),
  ];
}
