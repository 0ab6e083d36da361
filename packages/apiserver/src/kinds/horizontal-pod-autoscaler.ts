import { getOwn, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { Resource, TableColumns } from "../resources/resource.ts";
import { builtIn, keepField, statusSubresource } from "./built-in.ts";
import { age, columns, listWithMore } from "./columns.ts";
import { number, setDefault, struct, structs, text } from "./fields.ts";
import { autoscalerErrors } from "./horizontal-pod-autoscaler-validation.ts";
import { countErrors } from "./workload-validation.ts";

const DEFAULT_CPU_PERCENT = 80;
/** What version 1 has no fields for travels in annotations. */
const ANNOTATION = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
} as const;

function cpuMetric(percent: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percent } } };
}

const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: JsonObject = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

function defaults(object: KubeObject): void {
  const spec = struct(object, "spec")!;
  setDefault(spec, "minReplicas", 1);
  if (structs(spec, "metrics").length === 0) spec["metrics"] = [cpuMetric(DEFAULT_CPU_PERCENT)];
  const behavior = struct(spec, "behavior");
  if (!behavior) return;
  behavior["scaleUp"] = structuredClone({ ...SCALE_UP, ...struct(behavior, "scaleUp") });
  behavior["scaleDown"] = structuredClone({ ...SCALE_DOWN, ...struct(behavior, "scaleDown") });
}

const isCpuUtilization = (metric: JsonObject): boolean => {
  const resource = struct(metric, "resource");
  return text(resource, "name") === "cpu" && number(struct(resource, "target"), "averageUtilization") !== undefined;
};

/** A metric with its target spread over the fields that version 1 has in annotations. */
function oldMetric(metric: JsonObject, value: "target" | "current"): JsonObject {
  const flat: JsonObject = { type: text(metric, "type") };
  const prefix = value === "target" ? "target" : "current";
  for (const [kind, source] of Object.entries(metric)) {
    if (!isObject(source)) continue;
    const { metric: id, describedObject, ...rest } = source;
    const amounts = struct(source, value);
    delete rest[value];
    const spread: JsonObject = { ...rest };
    if (isObject(describedObject)) spread["target"] = describedObject;
    if (isObject(id)) spread["metricName"] = id["name"] ?? "";
    const percent = number(amounts, "averageUtilization");
    if (percent !== undefined) spread[`${prefix}AverageUtilization`] = percent;
    if (amounts?.["averageValue"] !== undefined) {
      spread[kind === "object" ? "averageValue" : `${prefix}AverageValue`] = amounts["averageValue"]!;
    }
    if (amounts?.["value"] !== undefined) spread[`${prefix}Value`] = amounts["value"]!;
    flat[kind] = spread;
  }
  return flat;
}

/** An autoscaler as version 1 has it: one CPU target, everything else in annotations. */
function asV1(object: KubeObject): KubeObject {
  const [spec, status] = [struct(object, "spec")!, struct(object, "status")];
  const { metrics: _metrics, behavior, ...rest } = spec;
  const metrics = structs(spec, "metrics");
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  const keep = (name: string, value: Json | undefined): void => {
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) annotations[name] = JSON.stringify(value);
  };
  keep(
    ANNOTATION.metrics,
    others.map((metric) => oldMetric(metric, "target")),
  );
  keep(
    ANNOTATION.currentMetrics,
    structs(status, "currentMetrics").map((metric) => oldMetric(metric, "current")),
  );
  keep(ANNOTATION.conditions, status?.["conditions"]);
  keep(ANNOTATION.behavior, behavior);
  const percent = number(struct(struct(cpu, "resource"), "target"), "averageUtilization");
  const current = structs(status, "currentMetrics").find(
    (metric) => text(struct(metric, "resource"), "name") === "cpu",
  );
  const currentPercent = number(struct(struct(current, "resource"), "current"), "averageUtilization");
  const { conditions: _conditions, currentMetrics: _current, ...counts } = status ?? {};
  return {
    ...object,
    apiVersion: "autoscaling/v1",
    metadata: { ...object.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...rest, ...(percent !== undefined && { targetCPUUtilizationPercentage: percent }) },
    status: {
      ...counts,
      currentReplicas: number(status, "currentReplicas") ?? 0,
      desiredReplicas: number(status, "desiredReplicas") ?? 0,
      ...(currentPercent !== undefined && { currentCPUUtilizationPercentage: currentPercent }),
    },
  };
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

/** An autoscaler as it is stored. Metrics other than CPU come back from the annotation of version 1 where they can. */
function asV2(object: KubeObject): KubeObject {
  const [spec, status] = [struct(object, "spec")!, struct(object, "status")];
  const annotations: JsonObject = { ...object.metadata.annotations };
  const { targetCPUUtilizationPercentage: percent, ...rest } = spec;
  const others = annotated(annotations, ANNOTATION.metrics);
  const behavior = annotated(annotations, ANNOTATION.behavior);
  const conditions = annotated(annotations, ANNOTATION.conditions);
  for (const name of Object.values(ANNOTATION)) delete annotations[name];
  const metrics = [
    ...(Array.isArray(others) ? others.filter(isObject).map(newMetric) : []),
    ...(typeof percent === "number" ? [cpuMetric(percent)] : []),
  ];
  const { currentCPUUtilizationPercentage: _percent, ...counts } = status ?? {};
  const { annotations: _old, ...metadata } = object.metadata;
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
      ...(isObject(behavior) && { behavior }),
    },
    status: {
      ...counts,
      desiredReplicas: number(status, "desiredReplicas") ?? 0,
      currentMetrics: null,
      ...(Array.isArray(conditions) && { conditions }),
    },
  };
}

function newMetric(flat: JsonObject): JsonObject {
  const metric: JsonObject = { type: text(flat, "type") };
  for (const [kind, source] of Object.entries(flat)) {
    if (!isObject(source)) continue;
    const { targetAverageUtilization, targetAverageValue, targetValue, averageValue, metricName, target, ...rest } =
      source;
    const average = targetAverageValue ?? averageValue;
    const amounts: JsonObject = {
      type: targetAverageUtilization !== undefined ? "Utilization" : average !== undefined ? "AverageValue" : "Value",
      ...(targetValue !== undefined && { value: targetValue }),
      ...(average !== undefined && { averageValue: average }),
      ...(targetAverageUtilization !== undefined && { averageUtilization: targetAverageUtilization }),
    };
    metric[kind] = {
      ...rest,
      ...(target !== undefined && { describedObject: target }),
      ...(metricName !== undefined && { metric: { name: metricName } }),
      target: amounts,
    };
  }
  return metric;
}

const SOURCES: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

/** What is measured over what is wanted: `cpu: 50%/80%`. */
function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  const type = text(metric, "type");
  const source = SOURCES[type];
  if (source === undefined) return "<unknown type>";
  const [target, current] = [struct(struct(metric, source), "target"), struct(struct(status, source), "current")];
  const has = status !== undefined && struct(status, source) !== undefined;
  const amount = (holder: JsonObject | undefined, field: string): string => String(holder?.[field] ?? "0");
  const named = type === "Resource" || type === "ContainerResource";
  const name = named ? `${text(struct(metric, source), "name")}: ` : "";
  if (named && target?.["averageValue"] === undefined) {
    const [is, wanted] = [number(current, "averageUtilization"), number(target, "averageUtilization")];
    return `${name}${is === undefined ? "<unknown>" : `${is}%`}/${wanted === undefined ? "<auto>" : `${wanted}%`}`;
  }
  if (named || type === "Pods")
    return `${name}${has ? amount(current, "averageValue") : "<unknown>"}/${amount(target, "averageValue")}`;
  if (target?.["averageValue"] !== undefined) {
    const is = current?.["averageValue"];
    return `${is === undefined ? "<unknown>" : String(is)}/${amount(target, "averageValue")} (avg)`;
  }
  return `${has ? amount(current, "value") : "<unknown>"}/${amount(target, "value")}`;
}

const autoscalerColumns: TableColumns = columns(
  ["Name", "Reference", "Targets", "MinPods", "MaxPods", "Replicas", "Age"],
  (object, now) => {
    const autoscaler = toV2(object);
    const [spec, status] = [struct(autoscaler, "spec"), struct(autoscaler, "status")];
    const target = struct(spec, "scaleTargetRef");
    const statuses = structs(status, "currentMetrics");
    const metrics = structs(spec, "metrics").map((metric, i) => metricText(metric, statuses[i]));
    const min = number(spec, "minReplicas");
    return [
      object.metadata.name ?? "",
      `${text(target, "kind")}/${text(target, "name")}`,
      metrics.length === 0 ? "<none>" : listWithMore(metrics, 2, ", "),
      min === undefined ? "<unset>" : String(min),
      number(spec, "maxReplicas") ?? 0,
      number(status, "currentReplicas") ?? 0,
      age(object, now),
    ];
  },
);

const toV2 = (object: KubeObject): KubeObject => (object.apiVersion === "autoscaling/v1" ? asV2(object) : object);

const status = statusSubresource({
  validateUpdate: (object) => countErrors(struct(object, "status"), ["currentReplicas", "desiredReplicas"]),
});

/** HorizontalPodAutoscalers, stored as v2 and served as v1 too. */
export function horizontalPodAutoscalers(): Resource {
  return builtIn({
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    resource: "horizontalpodautoscalers",
    namespaced: true,
    shortNames: ["hpa"],
    categories: ["all"],
    versions: [
      { version: "v2", defaults, columns: autoscalerColumns, subresources: { status } },
      {
        version: "v1",
        defaults: (object) => setDefault(struct(object, "spec")!, "minReplicas", 1),
        columns: autoscalerColumns,
        subresources: { status },
      },
    ],
    convert(object, version) {
      if (object.apiVersion === `autoscaling/${version}`) return object;
      return version === "v1" ? asV1(object) : asV2(object);
    },
    strategy: {
      prepareForCreate(object) {
        const v2 = object.apiVersion === "autoscaling/v2";
        object["status"] = v2
          ? { desiredReplicas: 0, currentMetrics: null }
          : { currentReplicas: 0, desiredReplicas: 0 };
      },
      prepareForUpdate: (object, old) => keepField(object, old, "status"),
      resetFields: [["status"]],
      validateCreate: (object) => autoscalerErrors(struct(toV2(object), "spec")!, undefined),
      validateUpdate: (object, old) => autoscalerErrors(struct(toV2(object), "spec")!, struct(toV2(old), "spec")),
    },
  });
}
