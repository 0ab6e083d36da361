import {
  child,
  forbiddenField,
  invalid,
  isValidPercent,
  notSupported,
  required,
  selectorFromObject,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, FieldPath, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, struct, text } from "../resources/object-fields.ts";
import { isEmptySelector } from "./label-selector.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";

/** How a kind that runs pods differs from its like in messages. */
export interface WorkloadRules {
  /** In `empty selector is invalid for …`. */
  readonly emptySelector: string;
  /** In `activeDeadlineSeconds in … is not Supported`. */
  readonly deadline: string;
  /** What is wrong with the template, where it is not judged as it stands. */
  readonly templateErrors?: (template: JsonObject, path: FieldPath) => FieldError[];
}

/** The selector of a workload: there, well-formed, and of something. */
export function workloadSelectorErrors(spec: JsonObject, rules: WorkloadRules): FieldError[] {
  const selector = struct(spec, "selector");
  if (!selector) return [required("spec.selector")];
  const errors = labelSelectorErrors(selector, "spec.selector");
  if (isEmptySelector(selector)) {
    errors.push(invalid("spec.selector", selector, `empty selector is invalid for ${rules.emptySelector}`));
  }
  return errors;
}

/** The pod template of a workload whose pods run for ever. A selector that cannot be read is told instead. */
export function workloadTemplateErrors(spec: JsonObject, rules: WorkloadRules): FieldError[] {
  const template = struct(spec, "template") ?? {};
  const selector = struct(spec, "selector");
  const path = "spec.template";
  const errors: FieldError[] = [];
  if (selector && labelSelectorErrors(selector, "").length > 0)
    return [invalid("spec.selector", selector, "invalid label selector")];
  const labels = struct(template, "metadata", "labels") as Record<string, string> | undefined;
  // A missing selector selects nothing, so nothing matches it; an empty one is told elsewhere.
  if (!(selector && isEmptySelector(selector)) && !selectorFromObject(selector).matches(labels ?? {})) {
    errors.push(labelsDoNotMatch(labels));
  }
  errors.push(...(rules.templateErrors ?? podTemplateErrors)(template, path));
  errors.push(...endlessPodErrors(struct(template, "spec"), rules.deadline));
  return errors;
}

/** The template of a workload lacks what its selector selects. */
export function labelsDoNotMatch(labels: JsonObject | undefined): FieldError {
  return invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`");
}

/** What ends a pod, in the template of a `kind` that keeps its pods running for ever. */
export function endlessPodErrors(podSpec: JsonObject | undefined, kind: string): FieldError[] {
  const policy = text(podSpec, "restartPolicy");
  const errors = policy === "Always" ? [] : [notSupported("spec.template.spec.restartPolicy", policy, ["Always"])];
  if (number(podSpec, "activeDeadlineSeconds") !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenField("spec.template.spec.activeDeadlineSeconds", why));
  }
  return errors;
}

/** A change of the selector, which would leave the pods of the old one without an owner. */
export function selectorChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [struct(object, "spec", "selector"), struct(old, "spec", "selector")];
  return validateImmutable(now ?? null, before ?? null, "spec.selector");
}

/** A number or a percentage, neither below zero. */
export function countOrPercentErrors(value: Json, path: FieldPath): FieldError[] {
  if (typeof value === "number") return nonNegativeErrors(value, path);
  return isValidPercent(String(value)).map((why) => invalid(path, value, why));
}

/** The number of a count or a percentage. */
export function countOrPercent(value: Json | undefined): number {
  return typeof value === "string" ? Number.parseInt(value, 10) || 0 : Number(value ?? 0);
}

/** A percentage of more than all. Numbers pass. */
export function above100PercentErrors(value: Json, path: FieldPath): FieldError[] {
  const percent = typeof value === "string" && isValidPercent(value).length === 0 ? Number.parseInt(value, 10) : 0;
  return percent > 100 ? [invalid(path, value, "must not be greater than 100%")] : [];
}

/** Counts in a status that cannot be negative. */
export function countErrors(status: JsonObject | undefined, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => nonNegativeErrors(number(status, field), child("status", field)));
}

/** Counts in a status that another one bounds. */
export function boundErrors(
  status: JsonObject | undefined,
  fields: readonly string[],
  bound: string,
  told: string,
): FieldError[] {
  const most = count(status, bound);
  return fields.flatMap((field) => {
    const value = count(status, field);
    return value > most ? [invalid(child("status", field), value, `cannot be greater than ${told}`)] : [];
  });
}

/** A count in a status that went down, which it never may. */
export function decrementErrors(object: KubeObject, old: KubeObject, field: string): FieldError[] {
  const value = count(struct(object, "status"), field);
  const before = count(struct(old, "status"), field);
  return value < before ? [invalid(child("status", field), value, "cannot be decremented")] : [];
}
