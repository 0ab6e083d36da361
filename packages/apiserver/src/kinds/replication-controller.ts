import { required } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, entries, number, setDefault, specOf, struct, textAt } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { labelsText } from "./columns.ts";
import { replicasScale } from "./deployment.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";
import { replicaColumns, replicaStatusErrors } from "./replica-set.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import { endlessPodErrors, labelsDoNotMatch } from "./workload-validation.ts";

const labelsOf = (template: JsonObject | undefined): JsonObject | undefined => struct(template, "metadata", "labels");

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  const template = struct(spec, "template");
  const labels = labelsOf(template);
  if (labels) {
    if (!struct(spec, "selector")) spec["selector"] = { ...labels };
    if (!object.metadata.labels) object.metadata.labels = { ...(labels as Record<string, string>) };
  }
  setDefault(spec, "replicas", 1);
  if (template) podSpecDefaults(specOf(template));
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const template = struct(spec, "template");
  const selector = entries(spec, "selector");
  const errors = [
    ...nonNegativeErrors(number(spec, "minReadySeconds"), "spec.minReadySeconds"),
    ...(selector.length === 0 ? [required("spec.selector")] : []),
    ...nonNegativeErrors(number(spec, "replicas"), "spec.replicas"),
  ];
  if (!template) return [...errors, required("spec.template")];
  const labels = labelsOf(template);
  if (!selector.every(([key, value]) => textAt(labels, key) === value)) {
    errors.push(labelsDoNotMatch(labels));
  }
  return [
    ...errors,
    ...podTemplateErrors(template, "spec.template"),
    ...endlessPodErrors(struct(template, "spec"), "ReplicationController"),
  ];
}

export function replicationControllers(): Resource {
  return builtIn({
    group: "",
    kind: "ReplicationController",
    resource: "replicationcontrollers",
    namespaced: true,
    shortNames: ["rc"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: replicaColumns(labelsText),
        subresources: {
          status: statusSubresource({ validateUpdate: replicaStatusErrors }),
          scale: {
            ...replicasScale,
            selector: (object) => {
              const selector = struct(object, "spec", "selector");
              return selector ? labelsText(selector) : "";
            },
          },
        },
      },
    ],
    strategy: {
      defaultPropagation: "Orphan",
      newStatus: () => ({ replicas: 0 }),
      raisesGeneration: specChanged,
      validate: specErrors,
      warn: warnOfWorkload(["spec", "template"], true),
      fieldLabels: { "status.replicas": (object) => String(count(struct(object, "status"), "replicas")) },
    },
  });
}
