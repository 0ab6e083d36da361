import {
  at,
  child,
  forbiddenField,
  invalid,
  isDNS1123Label,
  isPathSegmentName,
  notSupported,
  parseGroupVersion,
  quantityOf,
  quantitySign,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, struct, structOf, structs, text } from "../resources/object-fields.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { containerResourceNameErrors } from "./resource-name-validation.ts";

const SOURCES: ReadonlyMap<string, string> = new Map([
  ["ContainerResource", "containerResource"],
  ["External", "external"],
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
]);
const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;

function referenceErrors(ref: JsonObject | undefined, path: FieldPath, needsGroup: boolean): FieldError[] {
  const errors = ["kind", "name"].flatMap((field) => {
    const value = text(ref, field);
    if (value === "") return [required(child(path, field))];
    return isPathSegmentName(value).map((why) => invalid(child(path, field), value, why));
  });
  const version = text(ref, "apiVersion");
  const gv = parseGroupVersion(version);
  if (!gv) errors.push(invalid(child(path, "apiVersion"), version, `unexpected GroupVersion string: ${version}`));
  else if (needsGroup && gv.group === "")
    errors.push(invalid(child(path, "apiVersion"), version, "apiVersion must specify API group"));
  return errors;
}

function targetErrors(target: JsonObject | undefined, path: FieldPath): FieldError[] {
  const type = text(target, "type");
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(child(path, "type"), "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    errors.push(invalid(child(path, "type"), type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const field of ["value", "averageValue"]) {
    const amount = target?.[field];
    const quantity = amount === undefined ? undefined : quantityOf(amount);
    if (quantity && quantitySign(quantity) !== 1) errors.push(invalid(child(path, field), amount!, "must be positive"));
  }
  const percent = number(target, "averageUtilization");
  if (percent !== undefined && percent < 1)
    errors.push(invalid(child(path, "averageUtilization"), percent, "must be greater than 0"));
  return errors;
}

function metricNameErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(struct(source, "metric"), "name");
  if (name === "") return [required(child(path, "metric.name"), "must specify a metric name")];
  return isPathSegmentName(name).map((why) => invalid(child(path, "metric.name"), name, why));
}

/** Which of the amounts of a target are set. */
function amounts(source: JsonObject): { value: boolean; average: boolean; percent: boolean } {
  const target = struct(source, "target");
  return {
    value: target?.["value"] !== undefined,
    average: target?.["averageValue"] !== undefined,
    percent: target?.["averageUtilization"] !== undefined,
  };
}

function utilizationErrors(source: JsonObject, path: FieldPath): FieldError[] {
  const { average, percent } = amounts(source);
  const [either, both] = [
    "must set either a target raw value or a target utilization",
    "may not set both a target raw value and a target utilization",
  ];
  if (!average && !percent) return [required(child(path, "target.averageUtilization"), either)];
  return average && percent ? [forbiddenField(child(path, "target.averageValue"), both)] : [];
}

function sourceErrors(kind: string, source: JsonObject, path: FieldPath): FieldError[] {
  const target = targetErrors(struct(source, "target"), child(path, "target"));
  const { value, average } = amounts(source);
  const missing = (why: string): FieldError => required(child(path, "target.averageValue"), why);
  const name = text(source, "name");
  switch (kind) {
    case "object":
      return [
        ...referenceErrors(struct(source, "describedObject"), child(path, "describedObject"), false),
        ...metricNameErrors(source, path),
        ...target,
        ...(value || average ? [] : [missing("must set either a target value or averageValue")]),
      ];
    case "external":
      return [
        ...metricNameErrors(source, path),
        ...target,
        ...(value || average ? [] : [missing("must set either a target value for metric or a per-pod target")]),
        ...(value && average
          ? [
              forbiddenField(
                child(path, "target.value"),
                "may not set both a target value for metric and a per-pod target",
              ),
            ]
          : []),
      ];
    case "pods":
      return [
        ...metricNameErrors(source, path),
        ...target,
        ...(average ? [] : [missing("must specify a positive target averageValue")]),
      ];
    default: {
      const container = text(source, "container");
      const inContainer = kind === "containerResource";
      return [
        ...(name === ""
          ? [required(child(path, "name"), "must specify a resource name")]
          : inContainer
            ? containerResourceNameErrors(name, child(path, "name"))
            : []),
        ...(inContainer && container === "" ? [required(child(path, "container"), "must specify a container")] : []),
        ...(inContainer && container !== ""
          ? isDNS1123Label(container).map((why) => invalid(child(path, "container"), container, why))
          : []),
        ...target,
        ...utilizationErrors(source, path),
      ];
    }
  }
}

function metricErrors(metric: JsonObject, path: FieldPath): FieldError[] {
  const type = text(metric, "type");
  const expected = SOURCES.get(type);
  const present = ["object", "external", "pods", "resource", "containerResource"].filter((kind) =>
    struct(metric, kind),
  );
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(child(path, "type"), "must specify a metric source type"));
  if (!expected) errors.push(notSupported(child(path, "type"), type, [...SOURCES.keys()]));
  const [first] = present;
  if (first !== undefined) errors.push(...sourceErrors(first, structOf(metric, first), child(path, first)));
  if (!expected) errors.push(notSupported(child(path, "type"), type, [...SOURCES.keys()]));
  else if (!present.includes(expected)) {
    errors.push(required(child(path, expected), "must populate information for the given metric source"));
  }
  if (present.length !== 1) {
    for (const kind of present.filter((kind_) => kind_ !== expected)) {
      errors.push(forbiddenField(child(path, kind), "must populate the given metric source only"));
    }
  }
  return errors;
}

function policyErrors(policy: JsonObject, path: FieldPath): FieldError[] {
  const [type, value, period] = [text(policy, "type"), count(policy, "value"), count(policy, "periodSeconds")];
  const errors: FieldError[] = [];
  if (type !== "Pods" && type !== "Percent") errors.push(notSupported(child(path, "type"), type, ["Percent", "Pods"]));
  if (value <= 0) errors.push(invalid(child(path, "value"), value, "must be greater than zero"));
  if (period <= 0) errors.push(invalid(child(path, "periodSeconds"), period, "must be greater than zero"));
  if (period > MAX_PERIOD)
    errors.push(invalid(child(path, "periodSeconds"), period, `must be less than or equal to ${MAX_PERIOD}`));
  return errors;
}

function scalingErrors(rules: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!rules) return [];
  const errors: FieldError[] = [];
  const window = number(rules, "stabilizationWindowSeconds");
  const place = child(path, "stabilizationWindowSeconds");
  if (window !== undefined && window < 0) errors.push(invalid(place, window, "must be greater than or equal to zero"));
  if (window !== undefined && window > MAX_WINDOW)
    errors.push(invalid(place, window, `must be less than or equal to ${MAX_WINDOW}`));
  const select = text(rules, "selectPolicy");
  const choices = ["Disabled", "Max", "Min"];
  errors.push(...optionalChoiceErrors(select, choices, child(path, "selectPolicy")));
  const policies = structs(rules, "policies");
  if (policies.length === 0) errors.push(required(child(path, "policies"), "must specify at least one Policy"));
  return [...errors, ...policies.flatMap((policy, i) => policyErrors(policy, at(child(path, "policies"), i)))];
}

/** The spec of an autoscaler in version 2. Old ones may scale a target whose group was never told. */
export function autoscalerErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const needsGroup = !old || text(struct(old, "scaleTargetRef"), "apiVersion").includes("/");
  const [min, max] = [number(spec, "minReplicas"), count(spec, "maxReplicas")];
  const behavior = struct(spec, "behavior");
  const errors: FieldError[] = [];
  if (min !== undefined && min < 1) errors.push(invalid("spec.minReplicas", min, "must be greater than or equal to 1"));
  if (max === 0) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  else if (max < 0) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min)
    errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  return [
    ...errors,
    ...referenceErrors(struct(spec, "scaleTargetRef"), "spec.scaleTargetRef", needsGroup),
    ...structs(spec, "metrics").flatMap((metric, i) => metricErrors(metric, at("spec.metrics", i))),
    ...(min === 0 && !structs(spec, "metrics").some((metric) => ["Object", "External"].includes(text(metric, "type")))
      ? [
          forbiddenField(
            "spec.metrics",
            "must specify at least one Object or External metric to support scaling to zero replicas",
          ),
        ]
      : []),
    ...scalingErrors(struct(behavior, "scaleUp"), "spec.behavior.scaleUp"),
    ...scalingErrors(struct(behavior, "scaleDown"), "spec.behavior.scaleDown"),
  ];
}
