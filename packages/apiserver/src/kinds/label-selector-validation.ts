import { at, child, forbiddenField, invalid, isQualifiedName, isValidLabelValue, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { entries, structs, text, texts } from "../resources/object-fields.ts";

/** A map of labels: keys and values, each told on the path of the map. */
export function labelErrors(labels: readonly (readonly [string, unknown])[], path: FieldPath): FieldError[] {
  return labels.flatMap(([key, value]) => [
    ...labelNameErrors(key, path),
    ...isValidLabelValue(String(value)).map((why) => invalid(path, String(value), why)),
  ]);
}

export function labelNameErrors(name: string, path: FieldPath): FieldError[] {
  return isQualifiedName(name).map((why) => invalid(path, name, why));
}

function requirementErrors(requirement: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operator = text(requirement, "operator");
  const values = texts(requirement, "values");
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        errors.push(required(child(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(forbiddenField(child(path, "values"), why));
      }
      break;
    default:
      errors.push(invalid(child(path, "operator"), operator, "not a valid selector operator"));
  }
  errors.push(...labelNameErrors(text(requirement, "key"), child(path, "key")));
  values.forEach((value, i) => {
    for (const why of isValidLabelValue(value)) errors.push(invalid(at(child(path, "values"), i), value, why));
  });
  return errors;
}

/** A `metav1.LabelSelector`; a missing one has no errors. */
export function labelSelectorErrors(selector: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...labelErrors(entries(selector, "matchLabels"), child(path, "matchLabels")),
    ...structs(selector, "matchExpressions").flatMap((requirement, i) =>
      requirementErrors(requirement, at(child(path, "matchExpressions"), i)),
    ),
  ];
}
