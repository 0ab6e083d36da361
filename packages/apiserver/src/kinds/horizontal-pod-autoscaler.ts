import type { JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structs, text } from "../resources/object-fields.ts";
import type { Resource, TableColumns } from "../resources/resource.ts";
import { builtIn, keepField, statusSubresource } from "./built-in.ts";
import { age, columns, listWithMore } from "./columns.ts";
import { asV1, asV2, cpuMetric, DEFAULT_CPU_PERCENT } from "./horizontal-pod-autoscaler-conversion.ts";
import { autoscalerErrors } from "./horizontal-pod-autoscaler-validation.ts";
import { countErrors } from "./workload-validation.ts";

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
  const spec = specOf(object);
  setDefault(spec, "minReplicas", 1);
  if (structs(spec, "metrics").length === 0) spec["metrics"] = [cpuMetric(DEFAULT_CPU_PERCENT)];
  const behavior = struct(spec, "behavior");
  if (!behavior) return;
  behavior["scaleUp"] = structuredClone({ ...SCALE_UP, ...struct(behavior, "scaleUp") });
  behavior["scaleDown"] = structuredClone({ ...SCALE_DOWN, ...struct(behavior, "scaleDown") });
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
  const [target, current] = [struct(metric, source, "target"), struct(status, source, "current")];
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
      count(spec, "maxReplicas"),
      count(status, "currentReplicas"),
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
        defaults: (object) => setDefault(specOf(object), "minReplicas", 1),
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
