import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structOf } from "../resources/object-fields.ts";
import type { Resource, TableColumns } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells } from "./columns.ts";
import { replicasScale } from "./deployment.ts";
import { labelSelectorCell } from "./label-selector.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import {
  boundErrors,
  countErrors,
  selectorChangeErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from "./workload-validation.ts";

const RULES = { emptySelector: "deployment", deadline: "ReplicaSet" };

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegativeErrors(number(spec, "replicas"), "spec.replicas"),
    ...nonNegativeErrors(number(spec, "minReadySeconds"), "spec.minReadySeconds"),
    ...workloadSelectorErrors(spec, RULES),
    ...workloadTemplateErrors(spec, RULES),
  ];
}

/** Counts of a ReplicaSet or a ReplicationController. */
export function replicaStatusErrors(object: KubeObject): FieldError[] {
  const status = struct(object, "status");
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  return [
    ...countErrors(status, ["replicas", ...parts, "observedGeneration", "terminatingReplicas"]),
    ...boundErrors(status, parts, "replicas", "status.replicas"),
    ...boundErrors(status, ["availableReplicas"], "readyReplicas", "readyReplicas"),
  ];
}

/** Columns of a ReplicaSet or a ReplicationController, which differ in the form of their selectors. */
export function replicaColumns(selectorCell: (selector: JsonObject | undefined) => string): TableColumns {
  const replicas = ["Desired:integer", "Current:integer", "Ready:integer"];
  return columns(["Name", ...replicas, "Age", "Containers@1", "Images@1", "Selector@1"], (object, now) => {
    const [spec, status] = [struct(object, "spec"), struct(object, "status")];
    return [
      object.metadata.name ?? "",
      count(spec, "replicas"),
      count(status, "replicas"),
      count(status, "readyReplicas"),
      age(object, now),
      ...containerCells(struct(spec, "template", "spec")),
      selectorCell(struct(spec, "selector")),
    ];
  });
}

export function replicaSets(): Resource {
  return builtIn({
    group: "apps",
    kind: "ReplicaSet",
    resource: "replicasets",
    namespaced: true,
    shortNames: ["rs"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const spec = specOf(object);
          setDefault(spec, "replicas", 1);
          podSpecDefaults(structOf(spec, "template", "spec"));
        },
        columns: replicaColumns(labelSelectorCell),
        subresources: { status: statusSubresource({ validateUpdate: replicaStatusErrors }), scale: replicasScale },
      },
    ],
    strategy: {
      newStatus: () => ({ replicas: 0 }),
      raisesGeneration: specChanged,
      validate: specErrors,
      warn: warnOfWorkload(["spec", "template"], true),
      validateUpdate: (object, old) => [...specErrors(object), ...selectorChangeErrors(object, old)],
    },
  });
}
