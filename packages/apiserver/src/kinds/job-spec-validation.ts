import { child, invalid, notSupported, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, struct, structs, text } from "../resources/object-fields.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podFailurePolicyErrors } from "./pod-failure-policy-validation.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";

const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

const MODES = ["NonIndexed", "Indexed"];
const REPLACEMENTS = ["Failed", "TerminatingOrFailed"];
const MAX_INDEXED = 100_000;
/** From here on, backoff limits by index need narrower limits elsewhere. */
const MANY = 100_000;
const MANY_LIMIT = 10_000;

function indexErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const [parallelism, completions, failed, backoff] = [
    "parallelism",
    "completions",
    "maxFailedIndexes",
    "backoffLimitPerIndex",
  ].map((f) => number(spec, f));
  const errors: FieldError[] = [];
  if (text(spec, "completionMode") !== "Indexed") {
    const why = "requires indexed completion mode";
    if (backoff !== undefined) errors.push(invalid(child(path, "backoffLimitPerIndex"), backoff, why));
    if (failed !== undefined) errors.push(invalid(child(path, "maxFailedIndexes"), failed, why));
    return errors;
  }
  if (completions === undefined) errors.push(required(child(path, "completions"), "when completion mode is Indexed"));
  if (parallelism !== undefined && parallelism > MAX_INDEXED) {
    const why = `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`;
    errors.push(invalid(child(path, "parallelism"), parallelism, why));
  }
  if (completions !== undefined && failed !== undefined && failed > completions) {
    errors.push(invalid(child(path, "maxFailedIndexes"), failed, "must be less than or equal to completions"));
  }
  if (failed !== undefined && failed > MAX_INDEXED) {
    errors.push(invalid(child(path, "maxFailedIndexes"), failed, `must be less than or equal to ${MAX_INDEXED}`));
  }
  if (completions === undefined || completions <= MANY || backoff === undefined) return errors;
  if (failed === undefined) {
    errors.push(required(child(path, "maxFailedIndexes"), `must be specified when completions is above ${MANY}`));
  }
  const why = `must be less than or equal to ${MANY_LIMIT} when completions are above ${MANY} and used with backoff limit per index`;
  for (const field of ["parallelism", "maxFailedIndexes"]) {
    const value = count(spec, field);
    if (value > MANY_LIMIT) errors.push(invalid(child(path, field), value, why));
  }
  return errors;
}

function restartErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const place = child(path, "template.spec.restartPolicy");
  const policy = text(struct(spec, "template", "spec"), "restartPolicy");
  if (policy === "Always" || policy === "") return [required(place, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(place, policy, ["OnFailure", "Never"])];
  if (struct(spec, "podFailurePolicy") && policy !== "Never") {
    return [invalid(place, policy, 'only "Never" is supported when podFailurePolicy is specified')];
  }
  return [];
}

function replacementErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const value = text(spec, "podReplacementPolicy");
  const choices = struct(spec, "podFailurePolicy") ? ["Failed"] : REPLACEMENTS;
  return optionalChoiceErrors(value, choices, path);
}

/** A success policy by the names that the server's own types have. */
function shownSuccess(policy: JsonObject): JsonObject {
  const rules = structs(policy, "rules").map((rule) => ({
    SucceededIndexes: rule["succeededIndexes"] ?? null,
    SucceededCount: rule["succeededCount"] ?? null,
  }));
  return { Rules: rules };
}

/** The spec of a Job, or of a template of one. Its selector is judged elsewhere. */
export function jobSpecErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const mode = text(spec, "completionMode");
  const success = struct(spec, "successPolicy");
  return [
    ...COUNTS.flatMap((field) => nonNegativeErrors(number(spec, field), child(path, field))),
    ...(number(spec, "maxFailedIndexes") !== undefined && number(spec, "backoffLimitPerIndex") === undefined
      ? [required(child(path, "backoffLimitPerIndex"), "when maxFailedIndexes is specified")]
      : []),
    ...optionalChoiceErrors(mode, MODES, child(path, "completionMode")),
    ...indexErrors(spec, path),
    ...podFailurePolicyErrors(spec, child(path, "podFailurePolicy")),
    ...(success && mode !== "Indexed"
      ? [invalid(child(path, "successPolicy"), shownSuccess(success), "requires indexed completion mode")]
      : []),
    ...(success && mode === "Indexed" && structs(success, "rules").length === 0
      ? [
          required(
            child(path, "successPolicy.rules"),
            "at least one rules must be specified when the successPolicy is specified",
          ),
        ]
      : []),
    ...replacementErrors(spec, child(path, "podReplacementPolicy")),
    ...podTemplateErrors(struct(spec, "template") ?? {}, child(path, "template")),
    ...restartErrors(spec, path),
  ];
}
