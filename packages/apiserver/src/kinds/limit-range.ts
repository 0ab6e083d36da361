import { uuid } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import {
  at,
  child,
  compareQuantities,
  duplicate,
  forbiddenField,
  getOwn,
  integerQuantity,
  invalid,
  isQualifiedName,
  key,
  quantityOf,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, setDefault, struct, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { nameAndCreation } from "./columns.ts";
import { fillResourceList, roundResourceList } from "./resource-list.ts";
import { containerResourceNameErrors, isOvercommitAllowed, resourceNameErrors } from "./resource-name-validation.ts";

const TYPES = ["Container", "PersistentVolumeClaim", "Pod"];
const LISTS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

/** A default limit is the maximum, a default request the default limit or else the minimum. */
function itemDefaults(item: JsonObject): void {
  for (const list of LISTS) roundResourceList(struct(item, list));
  if (text(item, "type") !== "Container") return;
  const limits: JsonObject = { ...struct(item, "default") };
  fillResourceList(limits, struct(item, "max"));
  const requests: JsonObject = { ...struct(item, "defaultRequest") };
  fillResourceList(requests, limits);
  fillResourceList(requests, struct(item, "min"));
  if (Object.keys(limits).length > 0) item["default"] = limits;
  if (Object.keys(requests).length > 0) item["defaultRequest"] = requests;
}

function typeErrors(type: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(type).map((why) => invalid(path, type, why));
  if (errors.length > 0 || type.includes("/") || TYPES.includes(type)) return errors;
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

/** The bounds of one resource against each other. */
function boundErrors(item: JsonObject, name: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const value = (list: string): string | undefined => getOwn(struct(item, list) ?? {}, name) as string | undefined;
  const order = (a: string, b: string): number => compareQuantities(quantityOf(a)!, quantityOf(b)!);
  const [min, max, limit, request, ratio] = ["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"].map(
    value,
  );
  const check = (
    low: string | undefined,
    high: string | undefined,
    list: string,
    shown: string | undefined,
    why: string,
  ): void => {
    if (low === undefined || high === undefined || order(low, high) <= 0) return;
    errors.push(invalid(key(child(path, list), name), shown!, why));
  };
  check(min, max, "min", min, `min value ${min} is greater than max value ${max}`);
  check(min, request, "defaultRequest", request, `min value ${min} is greater than default request value ${request}`);
  check(request, max, "defaultRequest", request, `default request value ${request} is greater than max value ${max}`);
  check(
    request,
    limit,
    "defaultRequest",
    request,
    `default request value ${request} is greater than default limit value ${limit}`,
  );
  check(min, limit, "default", min, `min value ${min} is greater than default value ${limit}`);
  check(limit, max, "default", max, `default value ${limit} is greater than max value ${max}`);
  const ratioPath = key(child(path, "maxLimitRequestRatio"), name);
  if (ratio !== undefined && compareQuantities(quantityOf(ratio)!, integerQuantity(1n)) < 0) {
    errors.push(invalid(ratioPath, ratio, `ratio ${ratio} is less than 1`));
  }
  if (!isOvercommitAllowed(name) && limit !== undefined && request !== undefined && order(limit, request) !== 0) {
    const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(invalid(key(child(path, "defaultRequest"), name), request, why));
  }
  return errors;
}

function itemErrors(item: JsonObject, path: FieldPath): FieldError[] {
  const type = text(item, "type");
  const nameErrors = type === "Pod" || type === "Container" ? containerResourceNameErrors : resourceNameErrors;
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const list of LISTS) {
    if (type === "Pod" && (list === "default" || list === "defaultRequest")) {
      if (struct(item, list))
        errors.push(forbiddenField(child(path, list), "may not be specified when `type` is 'Pod'"));
      continue;
    }
    for (const [name] of entries(item, list)) {
      errors.push(...nameErrors(name, key(child(path, list), name)));
      names.add(name);
    }
  }
  const has = (list: string): boolean => getOwn(struct(item, list) ?? {}, "storage") !== undefined;
  if (type === "PersistentVolumeClaim" && !has("min") && !has("max")) {
    const why = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(child(path, "limits"), why));
  }
  return [...errors, ...[...names].flatMap((name) => boundErrors(item, name, path))];
}

function rangeErrors(object: KubeObject): FieldError[] {
  const types = new Set<string>();
  return structs(struct(object, "spec"), "limits").flatMap((item, i) => {
    const path = at("spec.limits", i);
    const type = text(item, "type");
    const errors = typeErrors(type, child(path, "type"));
    if (types.has(type)) errors.push(duplicate(child(path, "type"), type));
    types.add(type);
    return [...errors, ...itemErrors(item, path)];
  });
}

export function limitRanges(random: Random): Resource {
  return builtIn({
    group: "",
    kind: "LimitRange",
    resource: "limitranges",
    namespaced: true,
    shortNames: ["limits"],
    versions: [
      {
        version: "v1",
        defaults: (object) => structs(struct(object, "spec"), "limits").forEach(itemDefaults),
        columns: nameAndCreation,
      },
    ],
    strategy: {
      allowsCreateOnUpdate: true,
      prepareForCreate: (object) => setDefault(object.metadata, "name", uuid(random)),
      validate: rangeErrors,
    },
  });
}
