import {
  at,
  child,
  deepEqual,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  notSupported,
  required,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, FieldPath, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { internalSchema } from "@gatewright/kube/schema";
import { flag, struct, structs, text, texts } from "../resources/object-fields.ts";
import { apiApproval, approvalAnnotation, approvalPath, isProtectedGroup } from "./api-approval.ts";
import { conversionErrors } from "./crd-conversion-rules.ts";
import { sharedErrors, versionErrors } from "./crd-version-rules.ts";
import { conditionStatus } from "./crd-view.ts";

/** What is wrong with a CustomResourceDefinition, its metadata aside. `old` is what it replaces. */
export function crdErrors(crd: KubeObject, old?: KubeObject): FieldError[] {
  return [
    ...specErrors(struct(crd, "spec") ?? {}, struct(old, "spec")),
    ...(old ? immutableErrors(crd, old) : []),
    ...statusErrors(crd),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd, old),
    ...preserveErrors(crd, old),
  ];
}

/** What is wrong with the status of a CustomResourceDefinition. */
export function statusErrors(crd: KubeObject): FieldError[] {
  return [...namesErrors(struct(crd, "status", "acceptedNames") ?? {}, "status.acceptedNames")];
}

function* specErrors(spec: JsonObject, old: JsonObject | undefined): Generator<FieldError> {
  const group = text(spec, "group");
  const scope = text(spec, "scope");
  const versions = structs(spec, "versions");
  const wrongGroup = isDNS1123Subdomain(group);
  if (group === "") yield required("spec.group");
  else if (wrongGroup.length > 0) yield invalid("spec.group", group, wrongGroup.join(","));
  else if (!group.includes(".")) yield invalid("spec.group", group, "should be a domain with at least one dot");
  if (scope === "") yield required("spec.scope");
  else if (scope !== "Cluster" && scope !== "Namespaced")
    yield notSupported("spec.scope", scope, ["Cluster", "Namespaced"]);
  for (const [i, version] of versions.entries()) {
    if (!struct(version, "schema", "openAPIV3Schema")) {
      yield required(child(at("spec.versions", i), "schema.openAPIV3Schema"));
    }
  }
  const before = new Map(structs(old, "versions").map((version) => [text(version, "name"), version["schema"]]));
  const unchanged = (version: JsonObject): boolean => {
    const name = text(version, "name");
    return before.has(name) && deepEqual(before.get(name), version["schema"]);
  };
  yield* versionErrors(versions, versionNameErrors, unchanged);
  const told = (): Json => (Array.isArray(spec["versions"]) ? versions.map(internalVersion(versions)) : null);
  const names = versions.map((version) => text(version, "name"));
  if (new Set(names).size < names.length) yield invalid("spec.versions", told(), "must contain unique version names");
  if (versions.filter((version) => flag(version, "storage")).length !== 1) {
    yield invalid("spec.versions", told(), "must have exactly one version marked as storage version");
  }
  const declared = struct(spec, "names") ?? {};
  for (const field of ["plural", "singular", "kind", "listKind"]) {
    if (text(declared, field) === "") yield required(child("spec.names", field));
  }
  yield* namesErrors(declared, "spec.names");
  yield* sharedErrors(versions, unchanged);
  const conversion = struct(spec, "conversion");
  if (conversion) yield* conversionErrors(conversion, "spec.conversion");
}

function versionNameErrors(version: JsonObject, path: FieldPath): FieldError[] {
  const name = text(version, "name");
  const wrong = isDNS1035Label(name);
  return wrong.length === 0 ? [] : [invalid(child(path, "name"), name, wrong.join(","))];
}

/** Versions as the API server's internal type prints them. What all of them share is not part of any. */
function internalVersion(versions: readonly JsonObject[]): (version: JsonObject) => JsonObject {
  const own = (version: JsonObject, part: string): Json => {
    const value = version[part] ?? null;
    return versions.every((other) => deepEqual(other[part] ?? null, value)) ? null : value;
  };
  return (version) => {
    const schema = own(version, "schema");
    const inner = struct(version, "schema");
    const openAPIV3Schema = struct(inner, "openAPIV3Schema");
    return {
      Name: text(version, "name"),
      Served: flag(version, "served"),
      Storage: flag(version, "storage"),
      Deprecated: flag(version, "deprecated"),
      DeprecationWarning: version["deprecationWarning"] ?? null,
      Schema: schema === null ? null : { OpenAPIV3Schema: openAPIV3Schema ? internalSchema(openAPIV3Schema) : null },
      Subresources: own(version, "subresources"),
      AdditionalPrinterColumns: own(version, "additionalPrinterColumns"),
      SelectableFields: own(version, "selectableFields"),
    };
  };
}

function* namesErrors(names: JsonObject, path: FieldPath): Generator<FieldError> {
  const check = function* (value: string, place: FieldPath, mixedCase: boolean): Generator<FieldError> {
    const wrong = isDNS1035Label(mixedCase ? value.toLowerCase() : value);
    if (wrong.length === 0) return;
    const why = mixedCase ? "may have mixed case, but should otherwise match: " : "";
    yield invalid(place, value, why + wrong.join(","));
  };
  for (const [field, mixedCase] of [
    ["plural", false],
    ["singular", false],
    ["kind", true],
    ["listKind", true],
  ] as const) {
    const value = text(names, field);
    if (value !== "") yield* check(value, child(path, field), mixedCase);
  }
  for (const [i, name] of texts(names, "shortNames").entries())
    yield* check(name, at(child(path, "shortNames"), i), false);
  const kind = text(names, "kind");
  if (kind !== "" && kind === text(names, "listKind")) {
    yield invalid(child(path, "listKind"), kind, "kind and listKind may not be the same");
  }
  for (const [i, name] of texts(names, "categories").entries())
    yield* check(name, at(child(path, "categories"), i), false);
}

function* immutableErrors(crd: KubeObject, old: KubeObject): Generator<FieldError> {
  const [spec, before] = [struct(crd, "spec"), struct(old, "spec")];
  const [names, beforeNames] = [struct(spec, "names"), struct(before, "names")];
  if (conditionStatus(old, "Established") === "True") {
    yield* validateImmutable(text(spec, "scope"), text(before, "scope"), "spec.scope");
    yield* validateImmutable(text(names, "kind"), text(beforeNames, "kind"), "spec.names.kind");
  }
  yield* validateImmutable(text(spec, "group"), text(before, "group"), "spec.group");
  yield* validateImmutable(text(names, "plural"), text(beforeNames, "plural"), "spec.names.plural");
}

function* storedVersionErrors(crd: KubeObject): Generator<FieldError> {
  const path = "status.storedVersions";
  const status = struct(crd, "status");
  const stored = texts(status, "storedVersions");
  if (stored.length === 0) {
    yield invalid(path, status?.["storedVersions"] ?? null, "must have at least one stored version");
    return;
  }
  const left = new Map(stored.map((name, i) => [name, i]));
  for (const version of structs(struct(crd, "spec"), "versions")) {
    const name = text(version, "name");
    if (!left.delete(name) && flag(version, "storage")) {
      yield invalid(path, [...stored], `must have the storage version ${name}`);
    }
  }
  for (const [name, i] of left) {
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    yield invalid(at(path, i), name, why);
  }
}

function approvalErrors(crd: KubeObject, old: KubeObject | undefined): FieldError[] {
  if (!isProtectedGroup(text(struct(crd, "spec"), "group"))) return [];
  const { state, reason } = apiApproval(crd);
  if (old && apiApproval(old).state === state) return [];
  if (state === "missing") return [required(approvalPath, reason)];
  return state === "invalid" ? [invalid(approvalPath, approvalAnnotation(crd), reason)] : [];
}

function preserveErrors(crd: KubeObject, old: KubeObject | undefined): FieldError[] {
  const set = (of: KubeObject | undefined): boolean => flag(struct(of, "spec"), "preserveUnknownFields");
  if (!set(crd) || set(old)) return [];
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, why)];
}
