import { at, child, duplicate, invalid, isPathSegmentName, isQualifiedName, required, tooMany } from "@gatewright/kube";
import type { FieldError, FieldPath, Json, JsonObject } from "@gatewright/kube";
import { struct, structs, text, texts } from "../resources/object-fields.ts";
import { choiceErrors, optionalChoiceErrors } from "./choice-validation.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";

export const FAILURE_POLICIES: readonly string[] = ["Fail", "Ignore"];
export const MATCH_POLICIES: readonly string[] = ["Equivalent", "Exact"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];
const MAX_CONDITIONS = 64;

/** Judges the expressions of match conditions; `params` are declared in them or not. */
export type MatchConditionErrors = (
  conditions: Json | undefined,
  path: FieldPath,
  params: boolean,
) => readonly FieldError[];

/** A wildcard stands alone. */
function loneWildcardErrors(values: readonly string[], what: string, path: FieldPath): FieldError[] {
  if (values.length < 2 || !values.includes("*")) return [];
  return [invalid(path, [...values], `if '*' is present, must not specify other ${what}`)];
}

/** Resources and subresources, with wildcards: together they say nothing twice. */
function resourceErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const [wholes, subs] = [new Set<string>(), new Set<string>()];
  let plain = false;
  resources.forEach((resource, i) => {
    const place = at(path, i);
    if (resource === "") return void errors.push(required(place));
    const slash = resource.indexOf("/");
    if (slash < 0) {
      plain = resource !== "*";
      return;
    }
    const [name, sub] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (wholes.has(name))
      errors.push(invalid(place, resource, `if '${name}/*' is present, must not specify ${resource}`));
    if (subs.has(sub)) errors.push(invalid(place, resource, `if '*/${sub}' is present, must not specify ${resource}`));
    if (sub === "*") wholes.add(name);
    if (name === "*") subs.add(sub);
  });
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(path, [...resources], "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && plain) {
    errors.push(
      invalid(path, [...resources], "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return errors;
}

/** A rule of a webhook or a policy: operations, groups, versions, resources, scope. */
export function ruleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const [operations, groups, versions] = ["operations", "apiGroups", "apiVersions"].map((field) =>
    texts(rule, field),
  ) as [readonly string[], readonly string[], readonly string[]];
  const scope = text(rule, "scope");
  return [
    ...(operations.length === 0 ? [required(child(path, "operations"))] : []),
    ...loneWildcardErrors(operations, "operations", child(path, "operations")),
    ...operations.flatMap((operation, i) => choiceErrors(operation, OPERATIONS, at(child(path, "operations"), i))),
    ...(groups.length === 0 ? [required(child(path, "apiGroups"))] : []),
    ...loneWildcardErrors(groups, "API groups", child(path, "apiGroups")),
    ...(versions.length === 0 ? [required(child(path, "apiVersions"))] : []),
    ...loneWildcardErrors(versions, "API versions", child(path, "apiVersions")),
    ...versions.flatMap((version, i) => (version === "" ? [required(at(child(path, "apiVersions"), i))] : [])),
    ...resourceErrors(texts(rule, "resources"), child(path, "resources")),
    ...optionalChoiceErrors(scope, SCOPES, child(path, "scope")),
  ];
}

function namedRuleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const names = texts(rule, "resourceNames");
  return [
    ...names.flatMap((name, i) => {
      const place = at(child(path, "resourceNames"), i);
      const errors = isPathSegmentName(name).map((why) => invalid(place, name, why));
      return names.indexOf(name) < i ? [...errors, duplicate(place, name)] : errors;
    }),
    ...ruleErrors(rule, path),
  ];
}

/** What a policy or a binding of one matches. */
export function matchResourcesErrors(match: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!match) return [];
  const policy = text(match, "matchPolicy");
  return [
    ...choiceErrors(policy, MATCH_POLICIES, child(path, "matchPolicy")),
    ...labelSelectorErrors(struct(match, "namespaceSelector"), child(path, "namespaceSelector")),
    ...labelSelectorErrors(struct(match, "objectSelector"), child(path, "objectSelector")),
    ...["resourceRules", "excludeResourceRules"].flatMap((list) =>
      structs(match, list).flatMap((rule, i) => namedRuleErrors(rule, at(child(path, list), i))),
    ),
  ];
}

/** Match conditions by all but their expressions. */
export function matchConditionErrors(conditions: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return [
    ...(conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : []),
    ...conditions.flatMap((condition, i) => {
      const place = at(path, i);
      const name = text(condition, "name");
      const errors = text(condition, "expression").trim() === "" ? [required(child(place, "expression"))] : [];
      if (name === "") errors.push(required(child(place, "name")));
      else errors.push(...isQualifiedName(name).map((why) => invalid(child(place, "name"), name, why)));
      if (names.has(name)) errors.push(duplicate(child(place, "name"), name));
      if (name !== "") names.add(name);
      return errors;
    }),
  ];
}

/** Defaults of rules and of what they match. */
export function matchDefaults(match: JsonObject): void {
  match["matchPolicy"] ??= "Equivalent";
  match["namespaceSelector"] ??= {};
  match["objectSelector"] ??= {};
  for (const list of ["rules", "resourceRules", "excludeResourceRules"]) {
    for (const rule of structs(match, list)) rule["scope"] ??= "*";
  }
}
