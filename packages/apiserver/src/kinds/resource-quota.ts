import { child, compareQuantities, getOwn, invalid, key, quantityOf, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, specOf, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource, WriteContext } from "../resources/resource.ts";
import { builtIn, statusSubresource } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { roundResourceList } from "./resource-list.ts";
import { isStandardResource, resourceAmountErrors, resourceNameErrors } from "./resource-name-validation.ts";

const SCOPES = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
  "VolumeAttributesClass",
];
const EXISTS_ONLY = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "CrossNamespacePodAffinity",
]);
const POD_SCOPES = new Set([...EXISTS_ONLY, "PriorityClass"]);
const CONFLICTS = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;
const MUST_EXIST =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

const POD_RESOURCES = new Set([
  "pods",
  ...["", "requests.", "limits."].flatMap((prefix) => [`${prefix}cpu`, `${prefix}memory`]),
]);

const isQuotaResource = (name: string): boolean => name !== "storage" && isStandardResource(name);

/** Whether a quota with a scope can count a resource. */
function isCountedIn(scope: string, resource: string): boolean {
  if (scope === "BestEffort") return resource === "pods";
  return !POD_SCOPES.has(scope) || POD_RESOURCES.has(resource);
}

function listErrors(holder: JsonObject | undefined, list: string, path: FieldPath): FieldError[] {
  return entries(holder, list).flatMap(([name, amount]) => {
    const place = key(child(path, list), name);
    const errors = resourceNameErrors(name, place);
    if (!name.includes("/") && !isQuotaResource(name))
      errors.push(invalid(place, name, "must be a standard resource for quota"));
    return [...errors, ...resourceAmountErrors(name, amount, place)];
  });
}

function conflictErrors(scopes: readonly string[], shown: readonly string[] | null, path: FieldPath): FieldError[] {
  return CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    invalid(path, shown === null ? null : [...shown], "conflicting scopes"),
  );
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const requirements = structs(struct(spec, "scopeSelector"), "matchExpressions");
  const errors = requirements.flatMap((requirement) => {
    const [scope, operator, values] = [
      text(requirement, "scopeName"),
      text(requirement, "operator"),
      texts(requirement, "values"),
    ];
    const found: FieldError[] = [];
    if (!SCOPES.includes(scope)) found.push(invalid(child(path, "scopeName"), scope, "unsupported scope"));
    for (const [name] of entries(spec, "hard")) {
      if (!isQuotaResource(name) || isCountedIn(scope, name)) continue;
      const shown = requirements.map((r) => ({
        ScopeName: text(r, "scopeName"),
        Operator: text(r, "operator"),
        Values: r["values"] ?? null,
      }));
      found.push(invalid(path, { MatchExpressions: shown }, "unsupported scope applied to resource"));
    }
    if (EXISTS_ONLY.has(scope) && operator !== "Exists")
      found.push(invalid(child(path, "operator"), operator, MUST_EXIST));
    if (operator === "In" || operator === "NotIn") {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) found.push(required(child(path, "values"), why));
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) found.push(invalid(child(path, "values"), [...values], why));
    } else {
      found.push(invalid(child(path, "operator"), operator, "not a valid selector operator"));
    }
    return found;
  });
  return [
    ...errors,
    ...conflictErrors(
      requirements.map((r) => text(r, "scopeName")),
      null,
      path,
    ),
  ];
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const scopes = texts(spec, "scopes");
  return [
    ...listErrors(spec, "hard", "spec"),
    ...scopes.flatMap((scope) => [
      ...(SCOPES.includes(scope) ? [] : [invalid("spec.scopes", [...scopes], "unsupported scope")]),
      ...entries(spec, "hard")
        .filter(([name]) => isQuotaResource(name) && !isCountedIn(scope, name))
        .map(() => invalid("spec.scopes", [...scopes], "unsupported scope applied to resource")),
    ]),
    ...conflictErrors(scopes, scopes, "spec.scopes"),
    ...selectorErrors(spec),
  ];
}

function statusErrors(object: KubeObject): FieldError[] {
  const status = struct(object, "status");
  return [...listErrors(status, "hard", "status"), ...listErrors(status, "used", "status")];
}

function scopeChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [object, old].map((o) => [...texts(struct(o, "spec"), "scopes")]) as [string[], string[]];
  const same = new Set([...now, ...before]).size === new Set(now).size && new Set(now).size === new Set(before).size;
  return same ? [] : [invalid("spec.scopes", now, "field is immutable")];
}

/** A quota of requests above that of limits cannot be used up. */
function warnOfOrder(object: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  if (old) return;
  const hard = struct(object, "spec", "hard") ?? {};
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const plain =
      name !== "ephemeral-storage" && getOwn(hard, `requests.${name}`) === undefined ? name : `requests.${name}`;
    const [request, limit] = [getOwn(hard, plain), getOwn(hard, `limits.${name}`)].map((v) => quantityOf(v));
    if (!request || !limit || compareQuantities(request, limit) <= 0) continue;
    const shown = (resource: string): string => `${resource} (${String(getOwn(hard, resource))})`;
    context.warn(`ResourceQuota ${shown(plain)} should be less than ${shown(`limits.${name}`)}`);
  }
}

/** Used and hard amounts, those of limits by themselves. */
function amountsText(object: KubeObject, limits: boolean): string {
  const status = struct(object, "status");
  const used = struct(status, "used") ?? {};
  return entries(status, "hard")
    .filter(([name]) => name.startsWith("limits.") === limits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => `${name}: ${String(getOwn(used, name) ?? "0")}/${String(hard)}`)
    .join(", ");
}

export function resourceQuotas(): Resource {
  return builtIn({
    group: "",
    kind: "ResourceQuota",
    resource: "resourcequotas",
    namespaced: true,
    shortNames: ["quota"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const status = struct(object, "status");
          for (const list of [struct(object, "spec", "hard"), struct(status, "hard"), struct(status, "used")]) {
            roundResourceList(list);
          }
        },
        columns: columns(["Name", "Request", "Limit", "Age"], (object, now) => [
          object.metadata.name ?? "",
          amountsText(object, false),
          amountsText(object, true),
          age(object, now),
        ]),
        subresources: { status: statusSubresource({ validateUpdate: statusErrors }) },
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      newStatus: () => ({}),
      validate: specErrors,
      warn: warnOfOrder,
      validateUpdate: (object, old) => [...specErrors(object), ...scopeChangeErrors(object, old)],
    },
  });
}
