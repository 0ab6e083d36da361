import { compareVersions } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { flag, struct, structs, text, texts } from "../resources/object-fields.ts";

/** The names under which a resource is served. */
export interface CrdNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly schema: JsonObject | undefined;
  readonly columns: readonly JsonObject[];
  readonly selectableFields: readonly string[];
  readonly status: boolean;
  readonly scale: JsonObject | undefined;
}

/** A CustomResourceDefinition, read once into what the code asks of it. */
export interface CrdView {
  readonly name: string;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: CrdNames;
  readonly acceptedNames: CrdNames;
  /** As declared. */
  readonly versions: readonly CrdVersion[];
  readonly conversion: JsonObject | undefined;
  readonly storedVersions: readonly string[];
}

function namesOf(from: JsonObject | undefined): CrdNames {
  return {
    plural: text(from, "plural"),
    singular: text(from, "singular"),
    shortNames: texts(from, "shortNames"),
    kind: text(from, "kind"),
    listKind: text(from, "listKind"),
    categories: texts(from, "categories"),
  };
}

function versionOf(from: JsonObject): CrdVersion {
  const subresources = struct(from, "subresources");
  const warning = from["deprecationWarning"];
  return {
    name: text(from, "name"),
    served: flag(from, "served"),
    storage: flag(from, "storage"),
    deprecated: flag(from, "deprecated"),
    deprecationWarning: typeof warning === "string" ? warning : undefined,
    schema: struct(from, "schema", "openAPIV3Schema"),
    columns: structs(from, "additionalPrinterColumns"),
    selectableFields: structs(from, "selectableFields").map((field) => text(field, "jsonPath")),
    status: struct(subresources, "status") !== undefined,
    scale: struct(subresources, "scale"),
  };
}

/** Reads a CustomResourceDefinition whose types have been checked. What is missing reads as empty. */
export function viewCrd(crd: KubeObject): CrdView {
  const spec = struct(crd, "spec");
  const status = struct(crd, "status");
  return {
    name: crd.metadata.name ?? "",
    group: text(spec, "group"),
    namespaced: text(spec, "scope") === "Namespaced",
    names: namesOf(struct(spec, "names")),
    acceptedNames: namesOf(struct(status, "acceptedNames")),
    versions: structs(spec, "versions").map(versionOf),
    conversion: struct(spec, "conversion"),
    storedVersions: texts(status, "storedVersions"),
  };
}

/** The versions that clients can ask for, preferred first. */
export function servedVersions(view: CrdView): readonly CrdVersion[] {
  return view.versions.filter((v) => v.served).toSorted((a, b) => compareVersions(a.name, b.name));
}

/** The status of a condition, or undefined where there is none. */
export function conditionStatus(crd: KubeObject, type: string): string | undefined {
  const condition = structs(struct(crd, "status"), "conditions").find((c) => text(c, "type") === type);
  return condition && text(condition, "status");
}
