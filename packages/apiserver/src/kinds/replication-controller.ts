import { forbiddenField, invalid, notSupported, required } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells, labelsText } from "./columns.ts";
import { replicasScale } from "./deployment.ts";
import { entries, number, setDefault, struct, text, textAt } from "./fields.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";
import { replicaStatusErrors } from "./replica-set.ts";
import { warnOfWorkload } from "./pod-warnings.ts";

const labelsOf = (template: JsonObject | undefined): JsonObject | undefined =>
  struct(struct(template, "metadata"), "labels");

function defaults(object: KubeObject): void {
  const spec = struct(object, "spec")!;
  const template = struct(spec, "template");
  const labels = labelsOf(template);
  if (labels) {
    if (!struct(spec, "selector")) spec["selector"] = { ...labels };
    if (!object.metadata.labels) object.metadata.labels = { ...(labels as Record<string, string>) };
  }
  setDefault(spec, "replicas", 1);
  if (template) podSpecDefaults(struct(template, "spec")!);
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = struct(object, "spec")!;
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
    errors.push(
      invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`"),
    );
  }
  errors.push(...podTemplateErrors(template, "spec.template"));
  const podSpec = struct(template, "spec");
  const policy = text(podSpec, "restartPolicy");
  if (policy !== "Always") errors.push(notSupported("spec.template.spec.restartPolicy", policy, ["Always"]));
  if (number(podSpec, "activeDeadlineSeconds") !== undefined) {
    const why = "activeDeadlineSeconds in ReplicationController is not Supported";
    errors.push(forbiddenField("spec.template.spec.activeDeadlineSeconds", why));
  }
  return errors;
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
              labelsText(struct(spec, "selector")),
            ];
          },
        ),
        subresources: {
          status: statusSubresource({ validateUpdate: replicaStatusErrors }),
          scale: {
            ...replicasScale,
            selector: (object) => {
              const selector = struct(struct(object, "spec"), "selector");
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
      fieldLabels: { "status.replicas": (object) => String(number(struct(object, "status"), "replicas") ?? 0) },
    },
  });
}
