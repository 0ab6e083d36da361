import {
  at,
  child,
  duplicate,
  invalid,
  invalidOmitted,
  isQualifiedName,
  quote,
  required,
  tooMany,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { number, struct, structs, text } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS = ["In", "NotIn"];
const STATUSES = ["False", "True", "Unknown"];
const MAX_RULES = 20;
const MAX_VALUES = 255;

function requiredChoiceErrors(value: string, choices: readonly string[], path: FieldPath): FieldError[] {
  if (value === "") return [required(path, `valid values: [${choices.map(quote).join(" ")}]`)];
  return choiceErrors(value, choices, path);
}

function exitCodeErrors(rule: JsonObject, path: FieldPath, containers: ReadonlySet<string>): FieldError[] {
  const errors = requiredChoiceErrors(text(rule, "operator"), OPERATORS, child(path, "operator"));
  const name = rule["containerName"];
  if (typeof name === "string" && !containers.has(name)) {
    const why = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(child(path, "containerName"), name, why));
  }
  const values = (rule["values"] ?? []) as number[];
  const place = child(path, "values");
  if (values.length === 0) errors.push(invalid(place, null, "at least one value is required"));
  else if (values.length > MAX_VALUES) errors.push(tooMany(place, values.length, MAX_VALUES));
  values.forEach((value, i) => {
    if (text(rule, "operator") === "In" && value === 0)
      errors.push(invalid(at(place, i), value, "must not be 0 for the In operator"));
    if (values.indexOf(value) < i) errors.push(duplicate(at(place, i), value));
  });
  if (values.some((value, i) => i > 0 && values[i - 1]! > value))
    errors.push(invalid(place, values, "must be ordered"));
  return errors;
}

function conditionErrors(patterns: readonly JsonObject[], path: FieldPath): FieldError[] {
  return [
    ...(patterns.length > MAX_RULES ? [tooMany(path, patterns.length, MAX_RULES)] : []),
    ...patterns.flatMap((pattern, i) => [
      ...isQualifiedName(text(pattern, "type")).map((why) =>
        invalid(child(at(path, i), "type"), text(pattern, "type"), why),
      ),
      ...requiredChoiceErrors(text(pattern, "status"), STATUSES, child(at(path, i), "status")),
    ]),
  ];
}

/** `podFailurePolicy` of a Job spec. */
export function podFailurePolicyErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const rules = structs(struct(spec, "podFailurePolicy"), "rules");
  const podSpec = struct(spec, "template", "spec");
  const containers = new Set(
    ["containers", "initContainers"].flatMap((list) => structs(podSpec, list).map((c) => text(c, "name"))),
  );
  const place = child(path, "rules");
  return [
    ...(rules.length > MAX_RULES ? [tooMany(place, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, i) => {
      const at_ = at(place, i);
      const [codes, conditions, action] = [
        struct(rule, "onExitCodes"),
        structs(rule, "onPodConditions"),
        text(rule, "action"),
      ];
      const errors = requiredChoiceErrors(action, ACTIONS, child(at_, "action"));
      if (action === "FailIndex" && number(spec, "backoffLimitPerIndex") === undefined) {
        errors.push(invalid(child(at_, "action"), action, "requires the backoffLimitPerIndex to be set"));
      }
      if (codes) errors.push(...exitCodeErrors(codes, child(at_, "onExitCodes"), containers));
      errors.push(...conditionErrors(conditions, child(at_, "onPodConditions")));
      const both = "specifying both OnExitCodes and OnPodConditions is not supported";
      const none = "specifying one of OnExitCodes and OnPodConditions is required";
      if (codes && conditions.length > 0) errors.push(invalidOmitted(at_, both));
      if (!codes && conditions.length === 0) errors.push(invalidOmitted(at_, none));
      return errors;
    }),
  ];
}
