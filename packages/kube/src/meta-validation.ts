import { at, child, forbiddenField, invalid, required, tooLong } from "./field-error.ts";
import { quote } from "./quote.ts";
import type { FieldError, FieldPath } from "./field-error.ts";
import { parseGroupVersion } from "./group-version.ts";
import { deepEqual } from "./json/equal.ts";
import type { Json } from "./json/json.ts";
import { isQualifiedName, isValidLabelValue, nameIsDNSLabel } from "./names.ts";
import type { NameRule } from "./names.ts";
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from "./object.ts";

export const IMMUTABLE = "field is immutable";
/** All keys and values of an object's annotations together. */
export const MAX_ANNOTATION_BYTES = 256 * 1024;

export interface ObjectMetaOptions {
  readonly namespaced: boolean;
  readonly nameErrors: NameRule;
  /** Where the metadata stands; `metadata` unless told. */
  readonly path?: FieldPath;
}

/** What is wrong with the metadata of a new object, its name already made from generateName. */
export function validateObjectMeta(meta: ObjectMeta, options: ObjectMetaOptions): FieldError[] {
  const path = options.path ?? "metadata";
  const errors: FieldError[] = [];
  if (meta.generateName) {
    for (const text of options.nameErrors(meta.generateName, true)) {
      errors.push(invalid(child(path, "generateName"), meta.generateName, text));
    }
  }
  if (meta.name) {
    for (const text of options.nameErrors(meta.name, false)) errors.push(invalid(child(path, "name"), meta.name, text));
  } else {
    errors.push(required(child(path, "name"), "name or generateName is required"));
  }
  errors.push(...namespaceErrors(meta.namespace ?? "", options.namespaced, child(path, "namespace")));
  if ((meta.generation ?? 0) < 0) {
    errors.push(invalid(child(path, "generation"), meta.generation!, "must be greater than or equal to 0"));
  }
  errors.push(...validateLabels(meta.labels, child(path, "labels")));
  errors.push(...validateAnnotations(meta.annotations, child(path, "annotations")));
  errors.push(...validateOwnerReferences(meta.ownerReferences ?? [], child(path, "ownerReferences")));
  errors.push(...validateFinalizers(meta.finalizers ?? [], child(path, "finalizers")));
  errors.push(...validateManagedFields(meta.managedFields ?? [], child(path, "managedFields")));
  return errors;
}

/** What is wrong with new metadata of an object that exists. Finalizers are judged only for being new while deleting. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath = "metadata",
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp != null) {
    const known = new Set(old.finalizers);
    const added = [...new Set(meta.finalizers)].filter((f) => !known.has(f)).sort();
    if (added.length > 0) {
      const found = `[]string{${added.map(quote).join(", ")}}`;
      errors.push(
        forbiddenField(
          child(path, "finalizers"),
          `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`,
        ),
      );
    }
  }
  if (!meta.resourceVersion) {
    errors.push(invalid(child(path, "resourceVersion"), "", "must be specified for an update"));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid(child(path, "generation"), meta.generation ?? 0, "must not be decremented"));
  }
  for (const field of ["name", "namespace", "uid"] as const) {
    errors.push(...validateImmutable(meta[field] ?? "", old[field] ?? "", child(path, field)));
  }
  for (const field of ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    errors.push(...validateImmutable(meta[field] ?? null, old[field] ?? null, child(path, field)));
  }
  errors.push(...validateLabels(meta.labels, child(path, "labels")));
  errors.push(...validateAnnotations(meta.annotations, child(path, "annotations")));
  errors.push(...validateOwnerReferences(meta.ownerReferences ?? [], child(path, "ownerReferences")));
  errors.push(...validateManagedFields(meta.managedFields ?? [], child(path, "managedFields")));
  return errors;
}

function namespaceErrors(namespace: string, namespaced: boolean, path: FieldPath): FieldError[] {
  if (!namespaced) return namespace === "" ? [] : [forbiddenField(path, "not allowed on this type")];
  if (namespace === "") return [required(path)];
  return nameIsDNSLabel(namespace, false).map((text) => invalid(path, namespace, text));
}

/** `field is immutable`, unless both are deeply equal. */
export function validateImmutable(value: Json, old: Json, path: FieldPath): FieldError[] {
  return deepEqual(value, old) ? [] : [invalid(path, value, IMMUTABLE)];
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(labels ?? {})) {
    for (const text of isQualifiedName(name)) errors.push(invalid(path, name, text));
    for (const text of isValidLabelValue(value)) errors.push(invalid(path, value, text));
  }
  return errors;
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations ?? {})) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    for (const text of isQualifiedName(name.toLowerCase())) errors.push(invalid(path, name, text));
  }
  if (bytes > MAX_ANNOTATION_BYTES) errors.push(tooLong(path, MAX_ANNOTATION_BYTES));
  return errors;
}

const shownOwner = (ref: OwnerReference): Json => ({
  apiVersion: ref.apiVersion ?? "",
  kind: ref.kind ?? "",
  name: ref.name ?? "",
  uid: ref.uid ?? "",
  ...(ref.controller != null && { controller: ref.controller }),
  ...(ref.blockOwnerDeletion != null && { blockOwnerDeletion: ref.blockOwnerDeletion }),
});

function validateOwnerReferences(references: readonly OwnerReference[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const ref of references) {
    if (!ref.apiVersion || !parseGroupVersion(ref.apiVersion)?.version) {
      errors.push(invalid(child(path, "apiVersion"), ref.apiVersion ?? "", "version must not be empty"));
    }
    for (const field of ["kind", "name", "uid"] as const) {
      if (!ref[field]) errors.push(invalid(child(path, field), "", "must not be empty"));
    }
    if (ref.apiVersion === "v1" && ref.kind === "Event") {
      errors.push(invalid(path, shownOwner(ref), "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (ref.controller !== true) continue;
    const name = `${ref.kind}/${ref.name}`;
    if (controller === undefined) {
      controller = name;
    } else {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalid(path, references.map(shownOwner), text));
    }
  }
  return errors;
}

function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((name) => isQualifiedName(name).map((text) => invalid(path, name, text)));
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.push(invalid(path, [...finalizers], "finalizer orphan and foregroundDeletion cannot be both set"));
  }
  return errors;
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  entries.forEach((entry, index) => {
    const here = at(path, index);
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      errors.push(invalid(child(here, "operation"), entry.operation ?? "", "must be `Apply` or `Update`"));
    }
    if (entry.fieldsType && entry.fieldsType !== "FieldsV1") {
      errors.push(invalid(child(here, "fieldsType"), entry.fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...validateFieldManager(entry.manager ?? "", child(here, "manager")));
    if (Buffer.byteLength(entry.subresource ?? "") > 256) errors.push(tooLong(child(here, "subresource"), 256));
  });
  return errors;
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The name of a field manager: at most 128 bytes, all printable. Also judges the `fieldManager` query parameter. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors = Buffer.byteLength(manager) > 128 ? [tooLong(path, 128)] : [];
  if (!UNPRINTABLE.test(manager)) return errors;
  let position = 0;
  for (const character of manager) {
    if (UNPRINTABLE.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}
