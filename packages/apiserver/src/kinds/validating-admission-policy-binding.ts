import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalid,
  isDNS1123Subdomain,
  isPathSegmentName,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { specOf, struct, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { matchDefaults, matchResourcesErrors } from "./admission-rule-validation.ts";
import { builtIn, specChanged } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];
const EXCLUSIVE = "name and selector are mutually exclusive";

function paramRefErrors(ref: JsonObject | undefined): FieldError[] {
  if (!ref) return [];
  const path = "spec.paramRef";
  const [name, selector, action] = [text(ref, "name"), struct(ref, "selector"), text(ref, "parameterNotFoundAction")];
  const errors: FieldError[] = [];
  if (name !== "") {
    errors.push(...isPathSegmentName(name).map((why) => invalid(child(path, "name"), name, why)));
    if (selector) errors.push(forbiddenField(child(path, "name"), EXCLUSIVE));
  }
  if (selector) {
    errors.push(...labelSelectorErrors(selector, child(path, "selector")));
    if (name !== "") errors.push(forbiddenField(child(path, "selector"), EXCLUSIVE));
  }
  if (name === "" && !selector) errors.push(required(path, "one of name or selector must be specified"));
  if (action === "") errors.push(required(child(path, "parameterNotFoundAction")));
  else if (!NOT_FOUND_ACTIONS.includes(action)) {
    errors.push(notSupported(child(path, "parameterNotFoundAction"), action, NOT_FOUND_ACTIONS));
  }
  return errors;
}

function actionErrors(actions: readonly string[]): FieldError[] {
  const path = "spec.validationActions";
  if (actions.length === 0) return [required(path, "at least one validation action is required")];
  const errors = actions.flatMap((action, i) => [
    ...choiceErrors(action, ACTIONS, at(path, i)),
    ...(actions.indexOf(action) < i ? [duplicate(at(path, i), action)] : []),
  ]);
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalid(path, [...actions], why));
  }
  return errors;
}

function bindingErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const policy = text(spec, "policyName");
  return [
    ...(policy === ""
      ? [required("spec.policyName")]
      : isDNS1123Subdomain(policy).map((why) => invalid("spec.policyName", policy, why))),
    ...paramRefErrors(struct(spec, "paramRef")),
    ...matchResourcesErrors(struct(spec, "matchResources"), "spec.matchResources"),
    ...actionErrors(texts(spec, "validationActions")),
  ];
}

function paramText(object: KubeObject): string {
  const ref = struct(object, "spec", "paramRef");
  const name = text(ref, "name");
  return name === "" ? "<unset>" : `${text(ref, "namespace") || "*"}/${name}`;
}

export function validatingAdmissionPolicyBindings(): Resource {
  return builtIn({
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicyBinding",
    resource: "validatingadmissionpolicybindings",
    namespaced: false,
    categories: ["api-extensions"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          const match = struct(object, "spec", "matchResources");
          if (match) matchDefaults(match);
        },
        columns: columns(["Name", "PolicyName", "ParamRef", "Age"], (object, now) => [
          object.metadata.name ?? "",
          text(struct(object, "spec"), "policyName"),
          paramText(object),
          age(object, now),
        ]),
      },
    ],
    strategy: { allowsUnconditionalUpdate: false, raisesGeneration: specChanged, validate: bindingErrors },
  });
}
