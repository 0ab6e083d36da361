import { child, deepEqual, invalid, notSupported, required, selectorFromObject } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structOf, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells, labelsText } from "./columns.ts";
import { isEmptySelector, labelSelectorCell } from "./label-selector.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import {
  above100PercentErrors,
  countErrors,
  countOrPercent,
  countOrPercentErrors,
  decrementErrors,
  endlessPodErrors,
  labelsDoNotMatch,
  selectorChangeErrors,
} from "./workload-validation.ts";

/** Counts the versions of the template; deprecated, and kept. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

function setTemplateGeneration(object: KubeObject, generation: number): void {
  object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function templateGeneration(object: KubeObject): number {
  return Number(object.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0) || 0;
}

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  const strategy = structOf(spec, "updateStrategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    setDefault(strategy, "rollingUpdate", {});
    const rolling = structOf(strategy, "rollingUpdate");
    setDefault(rolling, "maxUnavailable", 1);
    setDefault(rolling, "maxSurge", 0);
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setTemplateGeneration(object, templateGeneration(object));
  podSpecDefaults(structOf(spec, "template", "spec"));
}

function rollingErrors(rolling: JsonObject, path: string): FieldError[] {
  const [down, up] = [rolling["maxUnavailable"] ?? 0, rolling["maxSurge"] ?? 0];
  const [downPath, upPath] = [child(path, "maxUnavailable"), child(path, "maxSurge")];
  const errors = [
    ...countOrPercentErrors(down, downPath),
    ...countOrPercentErrors(up, upPath),
    ...above100PercentErrors(down, downPath),
    ...above100PercentErrors(up, upPath),
  ];
  const [hasDown, hasUp] = [countOrPercent(down) !== 0, countOrPercent(up) !== 0];
  if (hasDown && hasUp) errors.push(invalid(upPath, up, "may not be set when maxUnavailable is non-zero"));
  if (!hasDown && !hasUp) errors.push(required(downPath, "cannot be 0 when maxSurge is 0"));
  return errors;
}

function updateStrategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  const [type, rolling] = [text(strategy, "type"), struct(strategy, "rollingUpdate")];
  if (type === "OnDelete") return [];
  if (type === "RollingUpdate")
    return rolling ? rollingErrors(rolling, child(path, "rollingUpdate")) : [required(child(path, "rollingUpdate"))];
  const shown: Json = { Type: type, RollingUpdate: null };
  return [notSupported(path, shown, ["RollingUpdate", "OnDelete"])];
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const selector = struct(spec, "selector");
  const template = struct(spec, "template") ?? {};
  const labels = struct(template, "metadata", "labels") as Record<string, string> | undefined;
  const errors = labelSelectorErrors(selector, "spec.selector");
  if (errors.length === 0 && !selectorFromObject(selector).matches(labels ?? {})) {
    errors.push(labelsDoNotMatch(labels));
  }
  if (selector && isEmptySelector(selector)) {
    errors.push(invalid("spec.selector", selector, "empty selector is invalid for daemonset"));
  }
  return [
    ...errors,
    ...podTemplateErrors(template, "spec.template"),
    ...endlessPodErrors(struct(template, "spec"), "DaemonSet"),
    ...nonNegativeErrors(number(spec, "minReadySeconds"), "spec.minReadySeconds"),
    ...updateStrategyErrors(struct(spec, "updateStrategy") ?? {}),
    ...nonNegativeErrors(number(spec, "revisionHistoryLimit"), "spec.revisionHistoryLimit"),
  ];
}

const COUNTS = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

export function daemonSets(): Resource {
  return builtIn({
    group: "apps",
    kind: "DaemonSet",
    resource: "daemonsets",
    namespaced: true,
    shortNames: ["ds"],
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
            "Up-to-date:integer",
            "Available:integer",
            "Node Selector",
            "Age",
            "Containers@1",
            "Images@1",
            "Selector@1",
          ],
          (object, now) => {
            const [spec, status] = [struct(object, "spec"), struct(object, "status")];
            const podSpec = struct(spec, "template", "spec");
            return [
              object.metadata.name ?? "",
              count(status, "desiredNumberScheduled"),
              count(status, "currentNumberScheduled"),
              count(status, "numberReady"),
              count(status, "updatedNumberScheduled"),
              count(status, "numberAvailable"),
              labelsText(struct(podSpec, "nodeSelector")),
              age(object, now),
              ...containerCells(podSpec),
              labelSelectorCell(struct(spec, "selector")),
            ];
          },
        ),
        subresources: {
          status: statusSubresource({
            validateUpdate: (object, old) => [
              ...countErrors(struct(object, "status"), COUNTS),
              ...decrementErrors(object, old, "collisionCount"),
            ],
          }),
        },
      },
    ],
    strategy: {
      newStatus: () => ({
        currentNumberScheduled: 0,
        numberMisscheduled: 0,
        desiredNumberScheduled: 0,
        numberReady: 0,
      }),
      raisesGeneration: specChanged,
      warn: warnOfWorkload(["spec", "template"], false),
      prepareForCreate: (object) => setTemplateGeneration(object, Math.max(1, templateGeneration(object))),
      prepareForUpdate(object, old) {
        const changed = !deepEqual(struct(object, "spec")?.["template"], struct(old, "spec")?.["template"]);
        setTemplateGeneration(object, templateGeneration(old) + (changed ? 1 : 0));
      },
      validate: specErrors,
      validateChange: selectorChangeErrors,
    },
  });
}
