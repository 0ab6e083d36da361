import { isIP } from "node:net";
import {
  at,
  child,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isValidPortName,
  isWildcardDNS1123Subdomain,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { count, specOf, struct, structs, text, textAt, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { loadBalancerErrors, loadBalancerText } from "./load-balancer-status.ts";
import { portNumberErrors } from "./port-validation.ts";

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const BAD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_ENDINGS = ["/..", "/."];

/** A reference to an object of some kind, in the same namespace. */
export function typedReferenceErrors(ref: JsonObject, path: FieldPath): FieldError[] {
  const group = ref["apiGroup"];
  return [
    ...(typeof group === "string"
      ? isDNS1123Subdomain(group).map((why) => invalid(child(path, "apiGroup"), group, why))
      : []),
    ...["kind", "name"].flatMap((field) => {
      const value = text(ref, field);
      if (value === "") return [required(child(path, field))];
      return isPathSegmentName(value).map((why) => invalid(child(path, field), value, why));
    }),
  ];
}

function backendErrors(backend: JsonObject, path: FieldPath): FieldError[] {
  const [resource, service] = [struct(backend, "resource"), struct(backend, "service")];
  if (resource && service) return [invalid(path, "", "cannot set both resource and service backends")];
  if (resource) return typedReferenceErrors(resource, child(path, "resource"));
  if (!service) return [invalid(path, "", "resource or service backend is required")];
  const name = text(service, "name");
  const errors =
    name === ""
      ? [required(child(path, "service.name"))]
      : isDNS1123Label(name).map((why) => invalid(child(path, "service.name"), name, why));
  const [portName, portNumber] = [text(struct(service, "port"), "name"), count(struct(service, "port"), "number")];
  if (portName !== "" && portNumber !== 0) errors.push(invalid(path, "", "cannot set both port name & port number"));
  else if (portName !== "") {
    errors.push(...isValidPortName(portName).map((why) => invalid(child(path, "service.port.name"), portName, why)));
  } else if (portNumber !== 0) errors.push(...portNumberErrors(portNumber, child(path, "service.port.number")));
  else errors.push(required(path, "port name or number is required"));
  return errors;
}

function pathErrors(entry: JsonObject, path: FieldPath): FieldError[] {
  const [type, value] = [entry["pathType"], text(entry, "path")];
  if (typeof type !== "string") return [required(child(path, "pathType"), "pathType must be specified")];
  const errors: FieldError[] = [];
  const wrong = (why: string): void => void errors.push(invalid(child(path, "path"), value, why));
  if (!PATH_TYPES.includes(type)) errors.push(notSupported(child(path, "pathType"), type, PATH_TYPES));
  else if (type === "ImplementationSpecific") {
    if (value !== "" && !value.startsWith("/")) wrong("must be an absolute path");
  } else {
    if (!value.startsWith("/")) wrong("must be an absolute path");
    for (const sequence of BAD_SEQUENCES) if (value.includes(sequence)) wrong(`must not contain '${sequence}'`);
    for (const ending of BAD_ENDINGS) if (value.endsWith(ending)) wrong(`cannot end with '${ending}'`);
  }
  return [...errors, ...backendErrors(struct(entry, "backend") ?? {}, child(path, "backend"))];
}

function hostErrors(host: string, path: FieldPath): FieldError[] {
  const why = host.includes("*") ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
  return why.map((text_) => invalid(path, host, text_));
}

function ruleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const host = text(rule, "host");
  const http = struct(rule, "http");
  const errors: FieldError[] = [];
  if (host !== "") {
    if (isIP(host)) errors.push(invalid(child(path, "host"), host, "must be a DNS name, not an IP address"));
    errors.push(...hostErrors(host, child(path, "host")));
  }
  if (!http) return errors;
  const place = child(path, "http.paths");
  const paths = structs(http, "paths");
  if (paths.length === 0) errors.push(required(place));
  return [...errors, ...paths.flatMap((entry, i) => pathErrors(entry, at(place, i)))];
}

function ingressErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const [rules, backend, className] = [
    structs(spec, "rules"),
    struct(spec, "defaultBackend"),
    spec["ingressClassName"],
  ];
  return [
    ...(rules.length === 0 && !backend
      ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(backend ? backendErrors(backend, "spec.defaultBackend") : []),
    ...rules.flatMap((rule, i) => ruleErrors(rule, at("spec.rules", i))),
    ...structs(spec, "tls").flatMap((tls, i) => {
      const [place, secret] = [at("spec.tls", i), text(tls, "secretName")];
      return [
        ...texts(tls, "hosts").flatMap((host, j) => hostErrors(host, at(child(place, "hosts"), j))),
        ...(secret === ""
          ? []
          : isDNS1123Subdomain(secret).map((why) => invalid(child(place, "secretName"), secret, why))),
      ];
    }),
    ...(typeof className === "string"
      ? isDNS1123Subdomain(className).map((why) => invalid("spec.ingressClassName", className, why))
      : []),
  ];
}

function hostsText(spec: JsonObject | undefined): string {
  const rules = structs(spec, "rules");
  const hosts = rules.map((rule) => text(rule, "host")).filter((host) => host !== "");
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, 3).join(",");
  const cut = hosts.length > 3 || (hosts.length === 3 && text(rules.at(-1), "host") === "" && rules.length > 3);
  return cut ? `${shown} + ${rules.length - 3} more...` : shown;
}

export function ingresses(): Resource {
  return builtIn({
    group: "networking.k8s.io",
    kind: "Ingress",
    resource: "ingresses",
    namespaced: true,
    shortNames: ["ing"],
    versions: [
      {
        version: "v1",
        columns: columns(["Name", "Class", "Hosts", "Address", "Ports", "Age"], (object, now) => {
          const spec = struct(object, "spec");
          const className = spec?.["ingressClassName"];
          return [
            object.metadata.name ?? "",
            typeof className === "string" ? className : "<none>",
            hostsText(spec),
            loadBalancerText(object),
            structs(spec, "tls").length > 0 ? "80, 443" : "80",
            age(object, now),
          ];
        }),
        subresources: { status: statusSubresource({ validateUpdate: (object) => loadBalancerErrors(object) }) },
      },
    ],
    strategy: {
      newStatus: () => ({ loadBalancer: {} }),
      raisesGeneration: specChanged,
      validate: ingressErrors,
      warn(object, old, context) {
        const annotated = textAt(object.metadata.annotations, CLASS_ANNOTATION) !== undefined;
        if (old || !annotated || struct(object, "spec")?.["ingressClassName"] !== undefined) return;
        context.warn(`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`);
      },
      validateCreate(object) {
        const annotation = textAt(object.metadata.annotations, CLASS_ANNOTATION);
        const className = struct(object, "spec")?.["ingressClassName"];
        if (annotation === undefined || className === undefined || annotation === className) return [];
        const why = "must match `ingressClassName` when both are specified";
        return [invalid(`annotations.${CLASS_ANNOTATION}`, annotation, why)];
      },
    },
  });
}
