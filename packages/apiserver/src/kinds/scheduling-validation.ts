import {
  at,
  child,
  duplicate,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidLabelValue,
  notSupported,
  required,
  forbiddenField,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, struct, structs, text, texts } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";
import { labelNameErrors, labelSelectorErrors } from "./label-selector-validation.ts";
import { positiveErrors } from "./number-validation.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** The effect of a taint or toleration. */
export function taintEffectErrors(effect: string, path: FieldPath): FieldError[] {
  return choiceErrors(effect, EFFECTS, path);
}

export function tolerationErrors(tolerations: readonly JsonObject[], path: FieldPath): FieldError[] {
  return tolerations.flatMap((toleration, i) => {
    const place = at(path, i);
    const [key, operator, value, effect] = ["key", "operator", "value", "effect"].map((f) => text(toleration, f)) as [
      string,
      string,
      string,
      string,
    ];
    const errors = key === "" ? [] : labelNameErrors(key, child(place, "key"));
    if (key === "" && operator !== "Exists") {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(child(place, "operator"), operator, why));
    }
    if (number(toleration, "tolerationSeconds") !== undefined && effect !== "NoExecute") {
      errors.push(
        invalid(child(place, "effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    }
    switch (operator) {
      case "":
      case "Equal": {
        const wrong = isValidLabelValue(value);
        if (wrong.length > 0) errors.push(invalid(child(place, "operator"), value, wrong.join(";")));
        break;
      }
      case "Exists":
        if (value !== "")
          errors.push(invalid(child(place, "operator"), value, "value must be empty when `operator` is 'Exists'"));
        break;
      default:
        errors.push(notSupported(child(place, "operator"), operator, ["Equal", "Exists"]));
    }
    return [...errors, ...(effect === "" ? [] : taintEffectErrors(effect, child(place, "effect")))];
  });
}

function nodeRequirementErrors(requirement: JsonObject, path: FieldPath, strict: boolean): FieldError[] {
  const values = texts(requirement, "values");
  const operator = text(requirement, "operator");
  const errors: FieldError[] = [];
  if (["In", "NotIn"].includes(operator)) {
    if (values.length === 0)
      errors.push(required(child(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (["Exists", "DoesNotExist"].includes(operator)) {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) errors.push(forbiddenField(child(path, "values"), why));
  } else if (["Gt", "Lt"].includes(operator)) {
    const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) errors.push(required(child(path, "values"), why));
  } else {
    errors.push(invalid(child(path, "operator"), operator, "not a valid selector operator"));
  }
  errors.push(...labelNameErrors(text(requirement, "key"), child(path, "key")));
  if (strict) {
    values.forEach((value, i) => {
      for (const why of isValidLabelValue(value)) errors.push(invalid(at(child(path, "values"), i), value, why));
    });
  }
  return errors;
}

function nodeFieldErrors(requirement: JsonObject, path: FieldPath): FieldError[] {
  const values = texts(requirement, "values");
  const [key, operator] = [text(requirement, "key"), text(requirement, "operator")];
  const errors: FieldError[] = [];
  if (!["In", "NotIn"].includes(operator)) {
    errors.push(invalid(child(path, "operator"), operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(child(path, "values"), why));
  }
  if (key !== "metadata.name") return [...errors, invalid(child(path, "key"), key, "not a valid field selector key")];
  values.forEach((value, i) => {
    for (const why of isDNS1123Subdomain(value)) errors.push(invalid(at(child(path, "values"), i), value, why));
  });
  return errors;
}

function nodeTermErrors(term: JsonObject | undefined, path: FieldPath, strict: boolean): FieldError[] {
  return [
    ...structs(term, "matchExpressions").flatMap((r, i) =>
      nodeRequirementErrors(r, at(child(path, "matchExpressions"), i), strict),
    ),
    ...structs(term, "matchFields").flatMap((r, i) => nodeFieldErrors(r, at(child(path, "matchFields"), i))),
  ];
}

/** A node selector, as affinities and persistent volumes have it. */
export function nodeSelectorErrors(selector: JsonObject, path: FieldPath): FieldError[] {
  const terms = structs(selector, "nodeSelectorTerms");
  const place = child(path, "nodeSelectorTerms");
  if (terms.length === 0) return [required(place, "must have at least one node selector term")];
  return terms.flatMap((term, i) => nodeTermErrors(term, at(place, i), true));
}

function weightErrors(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = count(term, "weight");
  return weight <= 0 || weight > 100 ? [invalid(child(path, "weight"), weight, "must be in the range 1-100")] : [];
}

function podTermErrors(term: JsonObject | undefined, path: FieldPath): FieldError[] {
  const key = text(term, "topologyKey");
  return [
    ...labelSelectorErrors(struct(term, "labelSelector"), child(path, "labelSelector")),
    ...labelSelectorErrors(struct(term, "namespaceSelector"), child(path, "namespaceSelector")),
    ...texts(term, "namespaces").flatMap((name) =>
      isDNS1123Label(name).map((why) => invalid(child(path, "namespace"), name, why)),
    ),
    ...(key === "" ? [required(child(path, "topologyKey"), "can not be empty")] : []),
    ...labelNameErrors(key, child(path, "topologyKey")),
  ];
}

function podAffinityErrors(affinity: JsonObject | undefined, path: FieldPath): FieldError[] {
  return [
    ...structs(affinity, REQUIRED).flatMap((term, i) => podTermErrors(term, at(child(path, REQUIRED), i))),
    ...structs(affinity, PREFERRED).flatMap((term, i) => {
      const place = at(child(path, PREFERRED), i);
      return [
        ...weightErrors(term, place),
        ...podTermErrors(struct(term, "podAffinityTerm"), child(place, "podAffinityTerm")),
      ];
    }),
  ];
}

export function affinityErrors(affinity: JsonObject | undefined, path: FieldPath): FieldError[] {
  const node = struct(affinity, "nodeAffinity");
  const selector = struct(node, REQUIRED);
  const place = child(path, "nodeAffinity");
  return [
    ...(selector ? nodeSelectorErrors(selector, child(place, REQUIRED)) : []),
    ...structs(node, PREFERRED).flatMap((term, i) => {
      const at_ = at(child(place, PREFERRED), i);
      return [
        ...weightErrors(term, at_),
        ...nodeTermErrors(struct(term, "preference"), child(at_, "preference"), false),
      ];
    }),
    ...podAffinityErrors(struct(affinity, "podAffinity"), child(path, "podAffinity")),
    ...podAffinityErrors(struct(affinity, "podAntiAffinity"), child(path, "podAntiAffinity")),
  ];
}

const UNSATISFIABLE = ["DoNotSchedule", "ScheduleAnyway"];

export function spreadErrors(constraints: readonly JsonObject[], path: FieldPath): FieldError[] {
  return constraints.flatMap((constraint, i) => {
    const place = at(path, i);
    const [key, when] = [text(constraint, "topologyKey"), text(constraint, "whenUnsatisfiable")];
    const errors = positiveErrors(number(constraint, "maxSkew"), child(place, "maxSkew"));
    if (key === "") errors.push(required(child(place, "topologyKey"), "can not be empty"));
    errors.push(...choiceErrors(when, UNSATISFIABLE, child(place, "whenUnsatisfiable")));
    const later = constraints.slice(i + 1);
    if (later.some((other) => text(other, "topologyKey") === key && text(other, "whenUnsatisfiable") === when)) {
      errors.push(duplicate(child(place, "{topologyKey, whenUnsatisfiable}"), `{${key}, ${when}}`));
    }
    const domains = number(constraint, "minDomains");
    if (domains !== undefined && domains <= 0) {
      errors.push(invalid(child(place, "minDomains"), domains, "must be greater than 0"));
    } else if (domains !== undefined && when !== "DoNotSchedule") {
      const why = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway";
      errors.push(invalid(child(place, "minDomains"), domains, why));
    }
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const policy = text(constraint, field);
      if (policy !== "" && !["Honor", "Ignore"].includes(policy))
        errors.push(notSupported(child(place, field), policy, ["Honor", "Ignore"]));
    }
    return [...errors, ...labelSelectorErrors(struct(constraint, "labelSelector"), child(place, "labelSelector"))];
  });
}
