import {
  deepEqual,
  humanDuration,
  invalid,
  isDNS1123Label,
  parseTime,
  required,
  selectorFromObject,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import {
  count,
  flag,
  number,
  setDefault,
  specOf,
  struct,
  structOf,
  structs,
  text,
  textAt,
} from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns, containerCells } from "./columns.ts";
import { jobSpecErrors } from "./job-spec-validation.ts";
import { labelSelectorCell } from "./label-selector.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import { countErrors, labelsDoNotMatch } from "./workload-validation.ts";

const CONTROLLER_UID = ["controller-uid", "batch.kubernetes.io/controller-uid"] as const;
const JOB_NAME = ["job-name", "batch.kubernetes.io/job-name"] as const;
const MAX_INT32 = 2 ** 31 - 1;

/** Defaults of a Job's pods, in a Job or in a template of one. */
export function jobTemplateDefaults(spec: JsonObject): void {
  for (const rule of structs(struct(spec, "podFailurePolicy"), "rules")) {
    for (const pattern of structs(rule, "onPodConditions")) if (!text(pattern, "status")) pattern["status"] = "True";
  }
  podSpecDefaults(structOf(spec, "template", "spec"));
}

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  if (spec["completions"] === undefined && spec["parallelism"] === undefined) spec["completions"] = 1;
  setDefault(spec, "parallelism", 1);
  setDefault(spec, "backoffLimit", spec["backoffLimitPerIndex"] === undefined ? 6 : MAX_INT32);
  setDefault(spec, "completionMode", "NonIndexed");
  setDefault(spec, "suspend", false);
  setDefault(spec, "podReplacementPolicy", struct(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  setDefault(spec, "manualSelector", false);
  jobTemplateDefaults(spec);
  labelDefaults(object);
}

/** A Job without labels of its own has those of its pods. */
function labelDefaults(object: KubeObject): void {
  const labels = struct(object, "spec", "template", "metadata", "labels");
  if (labels && !object.metadata.labels) object.metadata.labels = { ...(labels as Record<string, string>) };
}

/** Pods find their Job by labels that nobody else has, unless the client insists on its own selector. */
function generateSelector(object: KubeObject): void {
  const spec = specOf(object);
  if (flag(spec, "manualSelector")) return;
  const meta = structOf(spec, "template", "metadata");
  // Labels that the Job has from its pods follow them.
  if (deepEqual(object.metadata.labels, struct(meta, "labels"))) delete object.metadata.labels;
  const labels = new Map(Object.entries((struct(meta, "labels") ?? {}) as Record<string, string>));
  for (const label of JOB_NAME) if (!labels.has(label)) labels.set(label, object.metadata.name ?? "");
  for (const label of CONTROLLER_UID) if (!labels.has(label)) labels.set(label, object.metadata.uid ?? "");
  meta["labels"] = Object.fromEntries([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const selector = struct(spec, "selector");
  const matched = struct(selector, "matchLabels");
  const found = Object.entries({ [CONTROLLER_UID[1]]: object.metadata.uid ?? "", ...matched });
  spec["selector"] = { ...selector, matchLabels: Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** A generated selector must be as it was generated. */
function generatedErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  if (flag(spec, "manualSelector") || !struct(spec, "selector")) return [];
  const labels = struct(spec, "template", "metadata", "labels");
  const path = "spec.template.metadata.labels";
  const errors: FieldError[] = [];
  const expect = (names: readonly string[], value: string): void => {
    for (const name of names) {
      const found = textAt(labels, name);
      if (found === undefined) errors.push(required(`${path}[${name}]`, `must be '${value}'`));
      else if (found !== value) errors.push(invalid(`${path}[${name}]`, labels ?? null, `must be '${value}'`));
    }
  };
  expect(CONTROLLER_UID, object.metadata.uid ?? "");
  expect(JOB_NAME, object.metadata.name ?? "");
  const selector = structOf(spec, "selector");
  const expected = Object.fromEntries([
    ...CONTROLLER_UID.map((name) => [name, object.metadata.uid ?? ""]),
    ...JOB_NAME.map((name) => [name, object.metadata.name ?? ""]),
  ]) as Record<string, string>;
  if (labelSelectorErrors(selector, "").length === 0 && !selectorFromObject(selector).matches(expected)) {
    errors.push(invalid("spec.selector", selector, "`selector` not auto-generated"));
  }
  return errors;
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const selector = struct(spec, "selector");
  const labels = struct(spec, "template", "metadata", "labels") as Record<string, string> | undefined;
  const errors = jobSpecErrors(spec, "spec");
  const wrong = labelSelectorErrors(selector, "spec.selector");
  errors.push(...(selector ? wrong : [required("spec.selector")]));
  if (wrong.length === 0 && !selectorFromObject(selector).matches(labels ?? {})) {
    errors.push(labelsDoNotMatch(labels));
  }
  return errors;
}

function jobErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const errors = [...generatedErrors(object), ...specErrors(object)];
  const completions = count(spec, "completions");
  const name = object.metadata.name ?? "";
  const last = `${name}-${completions - 1}`;
  if (text(spec, "completionMode") === "Indexed" && completions > 0 && isDNS1123Label(last).length > 0) {
    errors.push(invalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${last}`));
  }
  return errors;
}

const IMMUTABLE = ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];

function changeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const same = (field: string): FieldError[] =>
    validateImmutable(spec[field] ?? null, before[field] ?? null, `spec.${field}`);
  const [completions, parallelism] = [number(spec, "completions"), number(spec, "parallelism")];
  const elastic = text(spec, "completionMode") === "Indexed";
  // While a Job is suspended, its template may be changed in ways that only its controller can judge.
  const suspended = flag(before, "suspend");
  return [
    ...(elastic
      ? completions !== number(before, "completions") && completions !== undefined && completions !== parallelism
        ? [invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")]
        : []
      : same("completions")),
    ...same("selector"),
    ...(suspended ? [] : same("template")),
    ...IMMUTABLE.flatMap(same),
  ];
}

function hasCondition(object: KubeObject, type: string): boolean {
  const found = structs(struct(object, "status"), "conditions").find((condition) => text(condition, "type") === type);
  return text(found, "status") === "True";
}

function statusText(object: KubeObject): string {
  if (hasCondition(object, "Complete")) return "Complete";
  if (hasCondition(object, "Failed")) return "Failed";
  if (object.metadata.deletionTimestamp) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) => hasCondition(object, type)) ?? "Running";
}

function completionsText(spec: JsonObject | undefined, status: JsonObject | undefined): string {
  const done = count(status, "succeeded");
  const completions = number(spec, "completions");
  const parallelism = count(spec, "parallelism");
  if (completions !== undefined) return `${done}/${completions}`;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function durationText(status: JsonObject | undefined, now: number): string {
  const start = parseTime(text(status, "startTime"));
  if (start === undefined) return "";
  return humanDuration((parseTime(text(status, "completionTime")) ?? now) - start);
}

export function jobs(): Resource {
  return builtIn({
    group: "batch",
    kind: "Job",
    resource: "jobs",
    namespaced: true,
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(
          ["Name", "Status", "Completions", "Duration", "Age", "Containers@1", "Images@1", "Selector@1"],
          (object, now) => {
            const [spec, status] = [struct(object, "spec"), struct(object, "status")];
            return [
              object.metadata.name ?? "",
              statusText(object),
              completionsText(spec, status),
              durationText(status, now),
              age(object, now),
              ...containerCells(struct(spec, "template", "spec")),
              labelSelectorCell(struct(spec, "selector")),
            ];
          },
        ),
        subresources: {
          status: statusSubresource({
            validateUpdate: (object) =>
              countErrors(struct(object, "status"), ["active", "succeeded", "failed", "ready", "terminating"]),
          }),
        },
      },
    ],
    strategy: {
      defaultPropagation: "Orphan",
      newStatus: () => ({}),
      raisesGeneration: specChanged,
      prepareForCreate(object) {
        generateSelector(object);
        labelDefaults(object);
      },
      validate: jobErrors,
      warn: warnOfWorkload(["spec", "template"], true),
      // The spec is judged once as that of any Job and once as a changed one: clients see its errors twice.
      validateUpdate: (object, old) => [...jobErrors(object), ...specErrors(object), ...changeErrors(object, old)],
      fieldLabels: { "status.successful": (object) => String(count(struct(object, "status"), "succeeded")) },
    },
  });
}
