import {
  child,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isHTTPPath,
  notSupported,
  required,
  tooLong,
  validateImmutable,
  forbiddenField,
} from "@gatewright/kube";
import type { FieldError, FieldPath, KubeObject } from "@gatewright/kube";
import { struct, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { typedReferenceErrors } from "./ingress.ts";

const DEFAULT_ANNOTATION = "ingressclass.kubernetes.io/is-default-class";
const MAX_CONTROLLER = 250;
const SCOPES = ["Cluster", "Namespace"];

/** A path below a domain: `example.com/controller`. */
export function domainPathErrors(value: string, path: FieldPath): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [domain, rest] = slash < 0 ? ["", ""] : [value.slice(0, slash), value.slice(slash + 1)];
  if (domain === "" || rest === "") {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...isDNS1123Subdomain(domain).map((why) => invalid(path, domain, why)),
    ...isHTTPPath(rest).map((why) => invalid(path, rest, why)),
  ];
}

function parameterErrors(object: KubeObject): FieldError[] {
  const ref = struct(object, "spec", "parameters");
  if (!ref) return [];
  const path = "spec.parameters";
  const errors = typedReferenceErrors(ref, path);
  const [scope, namespace] = [text(ref, "scope"), ref["namespace"]];
  if (!SCOPES.includes(scope)) errors.push(notSupported(child(path, "scope"), scope, SCOPES));
  else if (scope === "Namespace") {
    if (typeof namespace !== "string")
      errors.push(required(child(path, "namespace"), "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...isDNS1123Label(namespace).map((why) => invalid(child(path, "namespace"), namespace, why)));
  } else if (typeof namespace === "string") {
    errors.push(forbiddenField(child(path, "namespace"), "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}

function classErrors(object: KubeObject): FieldError[] {
  const controller = text(struct(object, "spec"), "controller");
  return [
    ...(Buffer.byteLength(controller) > MAX_CONTROLLER ? [tooLong("spec.controller", MAX_CONTROLLER)] : []),
    ...domainPathErrors(controller, "spec.controller"),
    ...parameterErrors(object),
  ];
}

function parametersText(object: KubeObject): string {
  const ref = struct(object, "spec", "parameters");
  if (!ref) return "<none>";
  const group = ref["apiGroup"];
  return `${text(ref, "kind")}${typeof group === "string" ? `.${group}` : ""}/${text(ref, "name")}`;
}

export function ingressClasses(): Resource {
  return builtIn({
    group: "networking.k8s.io",
    kind: "IngressClass",
    resource: "ingressclasses",
    namespaced: false,
    versions: [
      {
        version: "v1",
        defaults(object) {
          const ref = struct(object, "spec", "parameters");
          if (ref) ref["scope"] ??= "Cluster";
        },
        columns: columns(["Name", "Controller", "Parameters", "Age"], (object, now) => [
          `${object.metadata.name ?? ""}${object.metadata.annotations?.[DEFAULT_ANNOTATION] === "true" ? " (default)" : ""}`,
          text(struct(object, "spec"), "controller"),
          parametersText(object),
          age(object, now),
        ]),
      },
    ],
    strategy: {
      raisesGeneration: specChanged,
      validate: classErrors,
      validateChange: (object, old) =>
        validateImmutable(
          text(struct(object, "spec"), "controller"),
          text(struct(old, "spec"), "controller"),
          "spec.controller",
        ),
    },
  });
}
