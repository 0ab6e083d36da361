import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalid,
  isDNS1123Label,
  isValidPortName,
  notFoundField,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, struct, structs, text } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";
import { deviceErrors, mountErrors } from "./container-mount-validation.ts";
import { envErrors, envFromErrors } from "./env-validation.ts";
import { portNumberErrors, PROTOCOLS } from "./port-validation.ts";
import { lifecycleErrors, probesErrors } from "./probe-validation.ts";
import { resourceRequirementsErrors } from "./resource-requirements-validation.ts";
import { securityContextErrors } from "./security-context-validation.ts";

/** What the rules for containers must know of the pod around them. */
export interface PodAround {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly grace: number | undefined;
  readonly restartPolicy: string;
}

const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"];
const RESTART_POLICIES = ["Always", "Never", "OnFailure"];

function fieldChoiceErrors(
  holder: JsonObject,
  field: string,
  choices: readonly string[],
  path: FieldPath,
): FieldError[] {
  return choiceErrors(text(holder, field), choices, child(path, field));
}

function portErrors(container: JsonObject, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return structs(container, "ports").flatMap((port, i) => {
    const place = at(path, i);
    const errors: FieldError[] = [];
    const name = text(port, "name");
    if (name !== "") {
      const wrong = isValidPortName(name);
      if (wrong.length > 0) errors.push(...wrong.map((why) => invalid(child(place, "name"), name, why)));
      else if (names.has(name)) errors.push(duplicate(child(place, "name"), name));
      names.add(name);
    }
    const value = count(port, "containerPort");
    if (value === 0) errors.push(required(child(place, "containerPort")));
    else errors.push(...portNumberErrors(value, child(place, "containerPort")));
    const host = count(port, "hostPort");
    if (host !== 0) errors.push(...portNumberErrors(host, child(place, "hostPort")));
    return [...errors, ...fieldChoiceErrors(port, "protocol", PROTOCOLS, place)];
  });
}

/** Rules for every kind of container. */
function commonErrors(container: JsonObject, pod: PodAround, path: FieldPath): FieldError[] {
  const name = text(container, "name");
  return [
    ...(name === ""
      ? [required(child(path, "name"))]
      : isDNS1123Label(name).map((why) => invalid(child(path, "name"), name, why))),
    ...(text(container, "image") === "" ? [required(child(path, "image"))] : []),
    ...fieldChoiceErrors(container, "terminationMessagePolicy", MESSAGE_POLICIES, path),
    ...portErrors(container, child(path, "ports")),
    ...envErrors(container, child(path, "env")),
    ...envFromErrors(container, child(path, "envFrom")),
    ...mountErrors(container, pod.volumes, child(path, "volumeMounts")),
    ...deviceErrors(container, pod.volumes, child(path, "volumeDevices")),
    ...fieldChoiceErrors(container, "imagePullPolicy", PULL_POLICIES, path),
    ...resourceRequirementsErrors(struct(container, "resources"), child(path, "resources")),
    ...resizePolicyErrors(container, pod, child(path, "resizePolicy")),
    ...securityContextErrors(struct(container, "securityContext"), child(path, "securityContext")),
  ];
}

function resizePolicyErrors(container: JsonObject, pod: PodAround, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return structs(container, "resizePolicy").flatMap((policy, i) => {
    const [resource, restart] = [text(policy, "resourceName"), text(policy, "restartPolicy")];
    const errors: FieldError[] = [];
    if (seen.has(resource)) errors.push(duplicate(at(path, i), resource));
    seen.add(resource);
    if (resource === "") errors.push(required(path));
    else if (resource !== "cpu" && resource !== "memory") errors.push(notSupported(path, resource, ["cpu", "memory"]));
    if (restart === "") errors.push(required(path));
    else if (restart !== "NotRequired" && restart !== "RestartContainer") {
      errors.push(notSupported(path, restart, ["NotRequired", "RestartContainer"]));
    }
    if (pod.restartPolicy === "Never" && restart !== "NotRequired") {
      errors.push(invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}

/** Two containers cannot have the same port of the host. */
function hostPortErrors(containers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, i) =>
    structs(container, "ports").flatMap((port, j) => {
      const host = count(port, "hostPort");
      if (host === 0) return [];
      const id = `${text(port, "protocol")}/${text(port, "hostIP")}/${host}`;
      if (!seen.has(id)) {
        seen.add(id);
        return [];
      }
      return [duplicate(child(at(child(at(path, i), "ports"), j), "hostPort"), id)];
    }),
  );
}

function restartPolicyErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return container["restartPolicy"] === undefined
    ? []
    : fieldChoiceErrors(container, "restartPolicy", RESTART_POLICIES, path);
}

export function containerErrors(spec: JsonObject, pod: PodAround, path: FieldPath): FieldError[] {
  const containers = structs(spec, "containers");
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, i) => {
    const place = at(path, i);
    const name = text(container, "name");
    const repeated = names.has(name);
    names.add(name);
    return [
      ...commonErrors(container, pod, place),
      ...(repeated ? [duplicate(child(place, "name"), name)] : []),
      ...lifecycleErrors(container, place, pod.grace),
      ...probesErrors(container, place, pod.grace),
      ...restartPolicyErrors(container, place),
    ];
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

const ONLY_SIDECARS = "may not be set for init containers without restartPolicy=Always";

export function initContainerErrors(spec: JsonObject, pod: PodAround, path: FieldPath): FieldError[] {
  const names = new Set(structs(spec, "containers").map((container) => text(container, "name")));
  return structs(spec, "initContainers").flatMap((container, i) => {
    const place = at(path, i);
    const name = text(container, "name");
    const repeated = names.has(name);
    if (name !== "") names.add(name);
    const errors = [
      ...commonErrors(container, pod, place),
      ...restartPolicyErrors(container, place),
      ...(repeated ? [duplicate(child(place, "name"), name)] : []),
      ...hostPortErrors([container], path),
    ];
    if (text(container, "restartPolicy") === "Always") {
      return [...errors, ...lifecycleErrors(container, place, pod.grace), ...probesErrors(container, place, pod.grace)];
    }
    for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]) {
      if (container[field] !== undefined) errors.push(forbiddenField(child(place, field), ONLY_SIDECARS));
    }
    return errors;
  });
}

/** Fields of containers that an ephemeral one cannot have. */
const NOT_EPHEMERAL = ["ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"] as const;

export function ephemeralContainerErrors(spec: JsonObject, pod: PodAround, path: FieldPath): FieldError[] {
  const others = [...structs(spec, "containers"), ...structs(spec, "initContainers")].map((c) => text(c, "name"));
  const names = new Set(others);
  return structs(spec, "ephemeralContainers").flatMap((container, i) => {
    const place = at(path, i);
    const [name, target] = [text(container, "name"), text(container, "targetContainerName")];
    const errors = commonErrors(container, pod, place);
    if (names.has(name)) errors.push(duplicate(child(place, "name"), name));
    names.add(name);
    if (target !== "" && !others.includes(target))
      errors.push(notFoundField(child(place, "targetContainerName"), target));
    for (const field of NOT_EPHEMERAL) {
      if (container[field] !== undefined) {
        errors.push(forbiddenField(child(place, field), "cannot be set for an Ephemeral Container"));
      }
    }
    return errors;
  });
}
