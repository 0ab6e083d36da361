import { child, deepEqual, forbiddenField, invalid, notSupported, required } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structOf, text } from "../resources/object-fields.ts";
import type { Resource, ScaleSubresource } from "../resources/resource.ts";
import { builtIn, keepField, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells } from "./columns.ts";
import { labelSelectorText } from "./label-selector.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import {
  above100PercentErrors,
  boundErrors,
  countErrors,
  countOrPercent,
  countOrPercentErrors,
  decrementErrors,
  selectorChangeErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from "./workload-validation.ts";

/** `scale` of a workload that has its replicas in `spec.replicas`. */
export const replicasScale: ScaleSubresource = {
  type: "scale",
  specReplicasPath: ["spec", "replicas"],
  statusReplicasPath: ["status", "replicas"],
  selector: (object) => labelSelectorText(struct(object, "spec", "selector")),
  strict: false,
};

const RULES = { emptySelector: "deployment", deadline: "ReplicaSet" };

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  setDefault(spec, "replicas", 1);
  const strategy = structOf(spec, "strategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    setDefault(strategy, "rollingUpdate", {});
    const rolling = structOf(strategy, "rollingUpdate");
    setDefault(rolling, "maxUnavailable", "25%");
    setDefault(rolling, "maxSurge", "25%");
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setDefault(spec, "progressDeadlineSeconds", 600);
  podSpecDefaults(structOf(spec, "template", "spec"));
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.strategy";
  const rolling = struct(strategy, "rollingUpdate");
  const type = text(strategy, "type");
  if (type === "Recreate") {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return rolling ? [forbiddenField(child(path, "rollingUpdate"), why)] : [];
  }
  if (type !== "RollingUpdate") {
    // The server shows its own form of the struct here.
    const shown: Json = { Type: type, RollingUpdate: null };
    return [notSupported(path, shown, ["Recreate", "RollingUpdate"])];
  }
  if (!rolling) return [required(child(path, "rollingUpdate"), "this should be defaulted and never be nil")];
  const [down, up] = [rolling["maxUnavailable"] ?? 0, rolling["maxSurge"] ?? 0];
  const place = child(path, "rollingUpdate.maxUnavailable");
  return [
    ...countOrPercentErrors(down, place),
    ...countOrPercentErrors(up, child(path, "rollingUpdate.maxSurge")),
    ...(countOrPercent(down) === 0 && countOrPercent(up) === 0
      ? [invalid(place, down, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...above100PercentErrors(down, place),
  ];
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const deadline = number(spec, "progressDeadlineSeconds");
  return [
    ...nonNegativeErrors(number(spec, "replicas"), "spec.replicas"),
    ...workloadSelectorErrors(spec, RULES),
    ...workloadTemplateErrors(spec, RULES),
    ...strategyErrors(struct(spec, "strategy") ?? {}),
    ...nonNegativeErrors(number(spec, "minReadySeconds"), "spec.minReadySeconds"),
    ...nonNegativeErrors(number(spec, "revisionHistoryLimit"), "spec.revisionHistoryLimit"),
    ...nonNegativeErrors(deadline, "spec.progressDeadlineSeconds"),
    ...(deadline !== undefined && deadline <= count(spec, "minReadySeconds")
      ? [invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

function statusErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const status = struct(object, "status");
  const replicas = ["updatedReplicas", "readyReplicas", "availableReplicas"];
  return [
    ...countErrors(status, [
      "observedGeneration",
      "replicas",
      ...replicas,
      "unavailableReplicas",
      "terminatingReplicas",
      "collisionCount",
    ]),
    ...boundErrors(status, replicas, "replicas", "status.replicas"),
    ...boundErrors(status, ["availableReplicas"], "readyReplicas", "readyReplicas"),
    ...decrementErrors(object, old, "collisionCount"),
  ];
}

export function deployments(): Resource {
  return builtIn({
    group: "apps",
    kind: "Deployment",
    resource: "deployments",
    namespaced: true,
    shortNames: ["deploy"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(
          ["Name", "Ready", "Up-to-date", "Available", "Age", "Containers@1", "Images@1", "Selector@1"],
          (object, now) => {
            const [spec, status] = [struct(object, "spec"), struct(object, "status")];
            return [
              object.metadata.name ?? "",
              `${count(status, "readyReplicas")}/${count(spec, "replicas")}`,
              count(status, "updatedReplicas"),
              count(status, "availableReplicas"),
              age(object, now),
              ...containerCells(struct(spec, "template", "spec")),
              labelSelectorText(struct(spec, "selector")),
            ];
          },
        ),
        subresources: {
          status: statusSubresource({
            prepareForUpdate: (object, old) => keepField(object.metadata, old.metadata, "labels"),
            validateUpdate: statusErrors,
            resetFields: [["spec"], ["metadata", "labels"]],
          }),
          scale: replicasScale,
        },
      },
    ],
    strategy: {
      newStatus: () => ({}),
      raisesGeneration: (object, old) =>
        specChanged(object, old) || !deepEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
      validate: specErrors,
      warn: warnOfWorkload(["spec", "template"], true),
      validateUpdate: (object, old) => [...specErrors(object), ...selectorChangeErrors(object, old)],
    },
  });
}
