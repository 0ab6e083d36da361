import {
  child,
  deepEqual,
  forbiddenField,
  getOwn,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  key,
  notSupported,
  quantityOf,
  quantitySign,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { struct, text, texts } from "../resources/object-fields.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";

export const ACCESS_MODES: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

/** The access modes of a claim or a volume. */
export function accessModeErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const modes = texts(spec, "accessModes");
  const place = child(path, "accessModes");
  const errors = modes
    .filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(place, mode, ACCESS_MODES));
  const shared = modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode));
  if (shared && modes.includes("ReadWriteOncePod")) {
    errors.push(forbiddenField(place, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function storageErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const place = key(child(path, "resources"), "storage");
  const storage = getOwn(struct(spec, "resources", "requests") ?? {}, "storage");
  if (storage === undefined) return [required(place)];
  const quantity = quantityOf(storage);
  return quantity !== undefined && quantitySign(quantity) <= 0
    ? [invalid(place, storage, "must be greater than zero")]
    : [];
}

function sourceErrors(source: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!source) return [];
  const [name, kind, group, namespace] = ["name", "kind", "apiGroup", "namespace"].map((f) => text(source, f)) as [
    string,
    string,
    string,
    string,
  ];
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(child(path, "name")));
  if (kind === "") errors.push(required(child(path, "kind")));
  if (group === "" && kind !== "PersistentVolumeClaim") {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (group !== "")
    errors.push(...isDNS1123Subdomain(group).map((why) => invalid(child(path, "apiGroup"), group, why)));
  if (namespace !== "")
    errors.push(...isDNS1123Label(namespace).map((why) => invalid(child(path, "namespace"), namespace, why)));
  return errors;
}

/** The spec of a persistent volume claim, or of a template of one. */
export function claimSpecErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const [className, mode] = [text(spec, "storageClassName"), text(spec, "volumeMode")];
  const [source, ref] = [struct(spec, "dataSource"), struct(spec, "dataSourceRef")];
  const errors: FieldError[] = [];
  if (texts(spec, "accessModes").length === 0) {
    errors.push(required(child(path, "accessModes"), "at least 1 access mode is required"));
  }
  errors.push(...labelSelectorErrors(struct(spec, "selector"), child(path, "selector")));
  errors.push(...accessModeErrors(spec, path), ...storageErrors(spec, path));
  if (className !== "") {
    errors.push(
      ...isDNS1123Subdomain(className).map((why) => invalid(child(path, "storageClassName"), className, why)),
    );
  }
  errors.push(...optionalChoiceErrors(mode, VOLUME_MODES, child(path, "volumeMode")));
  errors.push(...sourceErrors(source, child(path, "dataSource")), ...sourceErrors(ref, child(path, "dataSourceRef")));
  if (source && ref && text(ref, "namespace") === "" && !deepEqual(source, ref)) {
    errors.push(invalid(path, child(path, "dataSource"), "must match dataSourceRef"));
  }
  return errors;
}
