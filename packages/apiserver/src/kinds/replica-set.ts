import { validateImmutable } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells } from "./columns.ts";
import { replicasScale } from "./deployment.ts";
import { number, setDefault, struct } from "./fields.ts";
import { labelSelectorCell } from "./label-selector.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import { boundErrors, countErrors, workloadSelectorErrors, workloadTemplateErrors } from "./workload-validation.ts";

const RULES = { emptySelector: "deployment", deadline: "ReplicaSet" };

function specErrors(object: KubeObject): FieldError[] {
  const spec = struct(object, "spec")!;
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
          const spec = struct(object, "spec")!;
          setDefault(spec, "replicas", 1);
          podSpecDefaults(struct(struct(spec, "template"), "spec")!);
        },
        columns: columns(
          [
            "Name",
            "Desired:integer",
            "Current:integer",
            "Ready:integer",
            "Age",
            "Containers@1",
            "Images@1",
            "Selector@1",
          ],
          (object, now) => {
            const [spec, status] = [struct(object, "spec"), struct(object, "status")];
            return [
              object.metadata.name ?? "",
              number(spec, "replicas") ?? 0,
              number(status, "replicas") ?? 0,
              number(status, "readyReplicas") ?? 0,
              age(object, now),
              ...containerCells(struct(struct(spec, "template"), "spec")),
              labelSelectorCell(struct(spec, "selector")),
            ];
          },
        ),
        subresources: { status: statusSubresource({ validateUpdate: replicaStatusErrors }), scale: replicasScale },
      },
    ],
    strategy: {
      newStatus: () => ({ replicas: 0 }),
      raisesGeneration: specChanged,
      validate: specErrors,
      warn: warnOfWorkload(["spec", "template"], true),
      validateUpdate: (object, old) => [
        ...specErrors(object),
        ...validateImmutable(
          struct(object, "spec")?.["selector"] ?? null,
          struct(old, "spec")?.["selector"] ?? null,
          "spec.selector",
        ),
      ],
    },
  });
}
