import {
  at,
  child,
  deepEqual,
  invalid,
  isDNS1123Subdomain,
  isPathSegmentName,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { struct, structOf, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource, WriteContext } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import type { StrategyParts } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns, nameAndCreation } from "./columns.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Judges whether a user may grant what an object grants. Throws a StatusError to refuse. */
export type RbacGuard = (object: KubeObject, old: KubeObject | undefined, context: WriteContext) => void;

function ruleErrors(rule: JsonObject, path: FieldPath, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const urls = texts(rule, "nonResourceURLs");
  const [groups, resources, names] = ["apiGroups", "resources", "resourceNames"].map(
    (field) => texts(rule, field).length,
  ) as [number, number, number];
  if (texts(rule, "verbs").length === 0)
    errors.push(required(child(path, "verbs"), "verbs must contain at least one value"));
  if (urls.length > 0) {
    const place = child(path, "nonResourceURLs");
    if (namespaced) errors.push(invalid(place, [...urls], "namespaced rules cannot apply to non-resource URLs"));
    if (groups + resources + names > 0) {
      errors.push(invalid(place, [...urls], "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return errors;
  }
  if (groups === 0)
    errors.push(required(child(path, "apiGroups"), "resource rules must supply at least one api group"));
  if (resources === 0)
    errors.push(required(child(path, "resources"), "resource rules must supply at least one resource"));
  return errors;
}

function aggregationErrors(object: KubeObject): FieldError[] {
  const rule = struct(object, "aggregationRule");
  if (!rule) return [];
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = structs(rule, "clusterRoleSelectors");
  if (selectors.length === 0)
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  return selectors.flatMap((selector, i) => labelSelectorErrors(selector, at(path, i)));
}

function subjectErrors(subject: JsonObject, path: FieldPath, namespaced: boolean): FieldError[] {
  const [kind, name, group] = [text(subject, "kind"), text(subject, "name"), text(subject, "apiGroup")];
  const errors = name === "" ? [required(child(path, "name"))] : [];
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") errors.push(...isDNS1123Subdomain(name).map((why) => invalid(child(path, "name"), name, why)));
      if (group !== "") errors.push(notSupported(child(path, "apiGroup"), group, [""]));
      if (!namespaced && text(subject, "namespace") === "") errors.push(required(child(path, "namespace")));
      return errors;
    case "User":
    case "Group":
      return group === GROUP ? errors : [...errors, notSupported(child(path, "apiGroup"), group, [GROUP])];
    default:
      return [...errors, notSupported(child(path, "kind"), kind, ["ServiceAccount", "User", "Group"])];
  }
}

function bindingErrors(object: KubeObject, namespaced: boolean): FieldError[] {
  const ref = struct(object, "roleRef");
  const [group, kind, name] = [text(ref, "apiGroup"), text(ref, "kind"), text(ref, "name")];
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...(group === GROUP ? [] : [notSupported("roleRef.apiGroup", group, [GROUP])]),
    ...choiceErrors(kind, kinds, "roleRef.kind"),
    ...(name === ""
      ? [required("roleRef.name")]
      : isPathSegmentName(name).map((why) => invalid("roleRef.name", name, why))),
    ...structs(object, "subjects").flatMap((subject, i) => subjectErrors(subject, at("subjects", i), namespaced)),
  ];
}

function bindingDefaults(object: KubeObject): void {
  const ref = structOf(object, "roleRef");
  if (text(ref, "apiGroup") === "") ref["apiGroup"] = GROUP;
  for (const subject of structs(object, "subjects")) {
    const kind = text(subject, "kind");
    if (text(subject, "apiGroup") === "" && (kind === "User" || kind === "Group")) subject["apiGroup"] = GROUP;
  }
}

function subjectNames(object: KubeObject, kind: string): string {
  return structs(object, "subjects")
    .filter((subject) => text(subject, "kind") === kind)
    .map((subject) => (kind === "ServiceAccount" ? `${text(subject, "namespace")}/` : "") + text(subject, "name"))
    .join(", ");
}

const bindingColumns = columns(["Name", "Role", "Age", "Users@1", "Groups@1", "ServiceAccounts@1"], (object, now) => {
  const ref = struct(object, "roleRef");
  return [
    object.metadata.name ?? "",
    `${text(ref, "kind")}/${text(ref, "name")}`,
    age(object, now),
    subjectNames(object, "User"),
    subjectNames(object, "Group"),
    subjectNames(object, "ServiceAccount"),
  ];
});

function strategy(guard: RbacGuard | undefined, errors: (object: KubeObject) => FieldError[]): StrategyParts {
  return {
    nameErrors: (name) => isPathSegmentName(name),
    allowsCreateOnUpdate: true,
    prepareForCreate: (object, context) => guard?.(object, undefined, context),
    prepareForUpdate: (object, old, context) => guard?.(object, old, context),
    validate: errors,
    validateUpdate(object, old) {
      const found = errors(object);
      if (!deepEqual(object["roleRef"], old["roleRef"])) {
        const ref = struct(object, "roleRef");
        const shown = { APIGroup: text(ref, "apiGroup"), Kind: text(ref, "kind"), Name: text(ref, "name") };
        found.push(invalid("roleRef", shown, "cannot change roleRef"));
      }
      return found;
    },
  };
}

/** Role or ClusterRole. Whether their writer may grant their rules is the guard's to say. */
export function roles(kind: "Role" | "ClusterRole", guard: RbacGuard | undefined): Resource {
  const namespaced = kind === "Role";
  return builtIn({
    group: GROUP,
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespaced,
    versions: [{ version: "v1", columns: nameAndCreation }],
    strategy: strategy(guard, (object) => [
      ...structs(object, "rules").flatMap((rule, i) => ruleErrors(rule, at("rules", i), namespaced)),
      ...aggregationErrors(object),
    ]),
  });
}

/** RoleBinding or ClusterRoleBinding. */
export function roleBindings(kind: "RoleBinding" | "ClusterRoleBinding", guard: RbacGuard | undefined): Resource {
  const namespaced = kind === "RoleBinding";
  return builtIn({
    group: GROUP,
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespaced,
    versions: [{ version: "v1", defaults: bindingDefaults, columns: bindingColumns }],
    strategy: strategy(guard, (object) => bindingErrors(object, namespaced)),
  });
}
