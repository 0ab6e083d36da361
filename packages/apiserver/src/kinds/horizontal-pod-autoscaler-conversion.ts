import { ensurePath, getOwn, getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, specOf, struct, structs, text } from "../resources/object-fields.ts";

/** The CPU target of an autoscaler that names no metric. */
export const DEFAULT_CPU_PERCENT = 80;

/** What version 1 has no fields for travels in annotations. */
const ANNOTATION = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
} as const;

/** Fields of a metric in the annotations, in their order, with where version 2 has them; `%` is target or current. */
const METRIC_FIELDS: Readonly<Record<string, readonly (readonly [old: string, ...path: string[]])[]>> = {
  object: [
    ["target", "describedObject"],
    ["metricName", "metric", "name"],
    ["%Value", "%", "value"],
    ["selector", "metric", "selector"],
    ["averageValue", "%", "averageValue"],
  ],
  pods: [
    ["metricName", "metric", "name"],
    ["%AverageValue", "%", "averageValue"],
    ["selector", "metric", "selector"],
  ],
  resource: [
    ["name", "name"],
    ["%AverageUtilization", "%", "averageUtilization"],
    ["%AverageValue", "%", "averageValue"],
  ],
  containerResource: [
    ["name", "name"],
    ["%AverageUtilization", "%", "averageUtilization"],
    ["%AverageValue", "%", "averageValue"],
    ["container", "container"],
  ],
  external: [
    ["metricName", "metric", "name"],
    ["metricSelector", "metric", "selector"],
    ["%Value", "%", "value"],
    ["%AverageValue", "%", "averageValue"],
  ],
};

type Side = "target" | "current";

export function cpuMetric(percent: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percent } } };
}

function isCpuUtilization(metric: JsonObject): boolean {
  const resource = struct(metric, "resource");
  return text(resource, "name") === "cpu" && number(struct(resource, "target"), "averageUtilization") !== undefined;
}

function oldMetric(metric: JsonObject, side: Side): JsonObject {
  const old: JsonObject = { type: text(metric, "type") };
  for (const [kind, fields] of Object.entries(METRIC_FIELDS)) {
    const source = struct(metric, kind);
    if (!source) continue;
    const flat: JsonObject = {};
    for (const [name, ...path] of fields) {
      const value = getPath(source, ...path.map((step) => step.replace("%", side)));
      if (value !== undefined) flat[name.replace("%", side)] = value;
    }
    old[kind] = flat;
  }
  return old;
}

function newMetric(old: JsonObject, side: Side): JsonObject {
  const metric: JsonObject = { type: text(old, "type") };
  for (const [kind, fields] of Object.entries(METRIC_FIELDS)) {
    const flat = struct(old, kind);
    if (!flat) continue;
    const source: JsonObject = {};
    for (const [name, ...path] of fields) {
      const value = getOwn(flat, name.replace("%", side));
      const steps = path.map((step) => step.replace("%", side));
      if (value !== undefined) ensurePath(source, ...steps.slice(0, -1))[steps.at(-1)!] = value;
    }
    const amounts = ensurePath(source, side);
    if (side === "target") amounts["type"] = targetType(amounts);
    metric[kind] = source;
  }
  return metric;
}

function targetType(amounts: JsonObject): string {
  if (amounts["averageUtilization"] !== undefined) return "Utilization";
  return amounts["averageValue"] !== undefined ? "AverageValue" : "Value";
}

/** The behaviour is written by the names that the server's own types have. */
function behaviorText(behavior: JsonObject): string {
  const rules = (value: JsonObject | undefined): Json =>
    value === undefined
      ? null
      : {
          StabilizationWindowSeconds: value["stabilizationWindowSeconds"] ?? null,
          SelectPolicy: value["selectPolicy"] ?? null,
          Policies: structs(value, "policies").map((policy) => ({
            Type: text(policy, "type"),
            Value: count(policy, "value"),
            PeriodSeconds: count(policy, "periodSeconds"),
          })),
          Tolerance: value["tolerance"] ?? null,
        };
  return JSON.stringify({
    ScaleUp: rules(struct(behavior, "scaleUp")),
    ScaleDown: rules(struct(behavior, "scaleDown")),
  });
}

/** Reads it back, in whichever case its names are. Nulls are nothing. */
function lowerCased(value: Json): Json {
  if (Array.isArray(value)) return value.map(lowerCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name.charAt(0).toLowerCase() + name.slice(1), lowerCased(item)]),
  );
}

function annotated(annotations: JsonObject, name: string): Json | undefined {
  const value = getOwn(annotations, name);
  try {
    return typeof value === "string" ? (JSON.parse(value) as Json) : undefined;
  } catch {
    // A user's annotation that is not JSON says nothing.
    return undefined;
  }
}

/** An autoscaler as version 1 has it: one CPU target, everything else in annotations. */
export function asV1(object: KubeObject): KubeObject {
  const [spec, status] = [specOf(object), struct(object, "status")];
  const { metrics: _metrics, behavior, ...rest } = spec;
  const metrics = structs(spec, "metrics");
  const current = structs(status, "currentMetrics");
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  if (others.length > 0) annotations[ANNOTATION.metrics] = JSON.stringify(others.map((m) => oldMetric(m, "target")));
  if (current.length > 0)
    annotations[ANNOTATION.currentMetrics] = JSON.stringify(current.map((m) => oldMetric(m, "current")));
  if (isObject(behavior)) annotations[ANNOTATION.behavior] = behaviorText(behavior);
  if (structs(status, "conditions").length > 0)
    annotations[ANNOTATION.conditions] = JSON.stringify(status!["conditions"]);
  const percent = (list: readonly JsonObject[], side: Side): number | undefined => {
    const cpu = list.find((metric) => text(struct(metric, "resource"), "name") === "cpu");
    return number(struct(cpu, "resource", side), "averageUtilization");
  };
  const [wanted, used] = [percent(metrics, "target"), percent(current, "current")];
  const { conditions: _conditions, currentMetrics: _current, ...counts } = status ?? {};
  return {
    ...object,
    apiVersion: "autoscaling/v1",
    metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...rest, ...(wanted !== undefined && { targetCPUUtilizationPercentage: wanted }) },
    status: {
      ...counts,
      currentReplicas: count(status, "currentReplicas"),
      desiredReplicas: count(status, "desiredReplicas"),
      ...(used !== undefined && { currentCPUUtilizationPercentage: used }),
    },
  };
}

/** An autoscaler as it is stored: what version 1 keeps in annotations comes back from them. */
export function asV2(object: KubeObject): KubeObject {
  const [spec, status] = [specOf(object), struct(object, "status")];
  const annotations: JsonObject = { ...object.metadata.annotations };
  const [others, current, behavior, conditions] = (
    ["metrics", "currentMetrics", "behavior", "conditions"] as const
  ).map((part) => annotated(annotations, ANNOTATION[part]));
  for (const name of Object.values(ANNOTATION)) delete annotations[name];
  const { targetCPUUtilizationPercentage: percent, ...rest } = spec;
  const metrics = [
    ...(Array.isArray(others) ? others.filter(isObject).map((metric) => newMetric(metric, "target")) : []),
    ...(typeof percent === "number" ? [cpuMetric(percent)] : []),
  ];
  const { currentCPUUtilizationPercentage: _used, currentReplicas, ...counts } = status ?? {};
  const { annotations: _annotations, ...metadata } = object.metadata;
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata: {
      ...metadata,
      ...(Object.keys(annotations).length > 0 && { annotations: annotations as Record<string, string> }),
    },
    spec: {
      ...rest,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_CPU_PERCENT)],
      ...(isObject(behavior) && { behavior: lowerCased(behavior) }),
    },
    status: {
      ...counts,
      ...(currentReplicas && { currentReplicas }),
      desiredReplicas: count(status, "desiredReplicas"),
      currentMetrics: Array.isArray(current)
        ? current.filter(isObject).map((metric) => newMetric(metric, "current"))
        : null,
      ...(Array.isArray(conditions) && { conditions }),
    },
  };
}
