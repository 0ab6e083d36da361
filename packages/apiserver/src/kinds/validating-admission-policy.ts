import {
  at,
  child,
  duplicate,
  invalid,
  isCIdentifier,
  isDNS1035Label,
  isDNS1123Subdomain,
  isQualifiedName,
  notSupported,
  parseGroupVersion,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { specOf, struct, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import {
  FAILURE_POLICIES,
  matchConditionErrors,
  matchDefaults,
  matchResourcesErrors,
} from "./admission-rule-validation.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";

/** Judges the expressions of a policy. */
export type PolicyExpressionErrors = (policy: KubeObject) => readonly FieldError[];

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const MAX_ANNOTATIONS = 20;
const MAX_EXPRESSION = 5 * 1024;

function paramKindErrors(kind: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (!kind) return [];
  const [apiVersion, name] = [text(kind, "apiVersion"), text(kind, "kind")];
  const place = child(path, "apiVersion");
  const gv = parseGroupVersion(apiVersion);
  const errors: FieldError[] = [];
  if (apiVersion === "") errors.push(required(place));
  else if (!gv) errors.push(invalid(place, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const wrongGroup = gv.group === "" ? [] : isDNS1123Subdomain(gv.group);
    if (wrongGroup.length > 0) errors.push(invalid(place, gv.group, wrongGroup.join(",")));
    const wrongVersion = isDNS1035Label(gv.version);
    if (gv.version === "") errors.push(invalid(place, apiVersion, "version must be specified"));
    else if (wrongVersion.length > 0) errors.push(invalid(place, gv.version, wrongVersion.join(",")));
  }
  const wrongKind = isDNS1035Label(name.toLowerCase());
  if (name === "") errors.push(required(child(path, "kind")));
  else if (wrongKind.length > 0) {
    errors.push(
      invalid(child(path, "kind"), name, `may have mixed case, but should otherwise match: ${wrongKind.join(",")}`),
    );
  }
  return errors;
}

function variableErrors(variable: JsonObject, path: FieldPath): FieldError[] {
  const name = text(variable, "name");
  return [
    ...(name.trim() === ""
      ? [required(child(path, "name"), "name is not specified")]
      : isCIdentifier(name).length > 0
        ? [invalid(child(path, "name"), name, "must be a valid CEL identifier")]
        : []),
    ...(text(variable, "expression").trim() === ""
      ? [required(child(path, "expression"), "expression is not specified")]
      : []),
  ];
}

function validationErrors(validation: JsonObject, path: FieldPath): FieldError[] {
  const [expression, message, messageExpression, reason] = ["expression", "message", "messageExpression", "reason"].map(
    (f) => text(validation, f),
  ) as [string, string, string, string];
  const errors: FieldError[] = [];
  if (expression.trim() === "") errors.push(required(child(path, "expression"), "expression is not specified"));
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.push(invalid(child(path, "messageExpression"), messageExpression, "must be non-empty if specified"));
  }
  if (message !== "" && message.trim() === "")
    errors.push(invalid(child(path, "message"), message, "must be non-empty if specified"));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(child(path, "message"), message, "must not contain line breaks"));
  if (validation["reason"] !== undefined && !REASONS.includes(reason))
    errors.push(notSupported(child(path, "reason"), reason, REASONS));
  return errors;
}

function annotationErrors(object: KubeObject, spec: JsonObject): FieldError[] {
  const annotations = structs(spec, "auditAnnotations");
  const keys = new Set<string>();
  const errors = annotations.flatMap((annotation, i) => {
    const path = at("spec.auditAnnotations", i);
    const [key, expression] = [text(annotation, "key"), text(annotation, "valueExpression").trim()];
    const full = `${object.metadata.name ?? ""}/${key}`;
    const found = isQualifiedName(full).map((why) => invalid(child(path, "key"), full, why));
    if (expression === "") found.push(required(child(path, "valueExpression"), "valueExpression is not specified"));
    else if (Buffer.byteLength(expression) > MAX_EXPRESSION) {
      found.push(required(child(path, "valueExpression"), `must not exceed ${MAX_EXPRESSION} bytes in length`));
    }
    if (keys.has(key)) found.push(duplicate(child(path, "key"), key));
    keys.add(key);
    return found;
  });
  if (annotations.length <= MAX_ANNOTATIONS) return errors;
  const shown = annotations.map((a) => ({ Key: text(a, "key"), ValueExpression: text(a, "valueExpression") }));
  return [
    invalid("spec.auditAnnotations", shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`),
    ...errors,
  ];
}

function policyErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const [failure, constraints, validations] = [
    text(spec, "failurePolicy"),
    struct(spec, "matchConstraints"),
    structs(spec, "validations"),
  ];
  const none = validations.length === 0 && structs(spec, "auditAnnotations").length === 0;
  const why = "validations or auditAnnotations must contain at least one item";
  return [
    ...choiceErrors(failure, FAILURE_POLICIES, "spec.failurePolicy"),
    ...paramKindErrors(struct(spec, "paramKind"), "spec.paramKind"),
    ...(constraints ? matchResourcesErrors(constraints, "spec.matchConstraints") : [required("spec.matchConstraints")]),
    ...(constraints && structs(constraints, "resourceRules").length === 0
      ? [required("spec.matchConstraints.resourceRules")]
      : []),
    ...matchConditionErrors(structs(spec, "matchConditions"), "spec.matchConditions"),
    ...structs(spec, "variables").flatMap((variable, i) => variableErrors(variable, at("spec.variables", i))),
    ...(none ? [required("spec.validations", why), required("spec.auditAnnotations", why)] : []),
    ...validations.flatMap((validation, i) => validationErrors(validation, at("spec.validations", i))),
    ...annotationErrors(object, spec),
  ];
}

function paramKindText(object: KubeObject): string {
  const kind = struct(object, "spec", "paramKind");
  return kind ? `${text(kind, "apiVersion")}/${text(kind, "kind")}` : "<unset>";
}

/** ValidatingAdmissionPolicies. Whether their expressions compile is judged by those who run them. */
export function validatingAdmissionPolicies(expressions: PolicyExpressionErrors | undefined): Resource {
  return builtIn({
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicy",
    resource: "validatingadmissionpolicies",
    namespaced: false,
    categories: ["api-extensions"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const spec = specOf(object);
          spec["failurePolicy"] ??= "Fail";
          const constraints = struct(spec, "matchConstraints");
          if (constraints) matchDefaults(constraints);
        },
        columns: columns(["Name", "Validations:integer", "ParamKind", "Age"], (object, now) => [
          object.metadata.name ?? "",
          structs(struct(object, "spec"), "validations").length,
          paramKindText(object),
          age(object, now),
        ]),
        subresources: { status: statusSubresource() },
      },
    ],
    strategy: {
      allowsUnconditionalUpdate: false,
      newStatus: () => ({}),
      raisesGeneration: specChanged,
      validate: (object) => [...policyErrors(object), ...(expressions?.(object) ?? [])],
    },
  });
}
