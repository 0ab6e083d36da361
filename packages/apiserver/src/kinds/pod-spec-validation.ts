import {
  at,
  child,
  duplicate,
  forbiddenField,
  inclusiveRangeError,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isQualifiedName,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, entries, flag, number, struct, structs, text, texts } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";
import { containerErrors, ephemeralContainerErrors, initContainerErrors } from "./container-validation.ts";
import type { PodAround } from "./container-validation.ts";
import { ipErrors } from "./ip-validation.ts";
import { labelErrors } from "./label-selector-validation.ts";
import { affinityErrors, spreadErrors, tolerationErrors } from "./scheduling-validation.ts";
import { podSecurityContextErrors } from "./security-context-validation.ts";
import { volumeErrors } from "./volume-validation.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_DEADLINE = 2 ** 31 - 1;

function requiredChoiceErrors(
  spec: JsonObject,
  field: string,
  choices: readonly string[],
  path: FieldPath,
): FieldError[] {
  const value = text(spec, field);
  return value === "" ? [required(child(path, field))] : choiceErrors(value, choices, child(path, field));
}

/** A field that, where it is set, is a name of some form. */
function nameErrors(spec: JsonObject, field: string, rule: (name: string) => string[], path: FieldPath): FieldError[] {
  const value = text(spec, field);
  return value === "" ? [] : rule(value).map((why) => invalid(child(path, field), value, why));
}

function hostNetworkErrors(spec: JsonObject, path: FieldPath, isPod: boolean): FieldError[] {
  if (!flag(spec, "hostNetwork")) return [];
  return structs(spec, "containers").flatMap((container, i) =>
    structs(container, "ports").flatMap((port, j) => {
      const [host, own] = [count(port, "hostPort"), count(port, "containerPort")];
      if (host === own || (host === 0 && !isPod)) return [];
      const place = child(at(child(at(child(path, "containers"), i), "ports"), j), "hostPort");
      return [invalid(place, host, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}

function dnsErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const config = struct(spec, "dnsConfig");
  const servers = texts(config, "nameservers");
  const searches = texts(config, "searches");
  if (text(spec, "dnsPolicy") === "None") {
    if (!config) return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    if (servers.length === 0) return [required(child(path, "nameservers"), why)];
  }
  const errors: FieldError[] = [];
  const place = child(path, "searches");
  if (servers.length > 3)
    errors.push(invalid(child(path, "nameservers"), [...servers], "must not have more than 3 nameservers"));
  servers.forEach((server, i) => errors.push(...ipErrors(server, at(child(path, "nameservers"), i))));
  if (searches.length > 32) errors.push(invalid(place, [...searches], "must not have more than 32 search paths"));
  if (searches.join(" ").length > 2048) {
    const why = "must not have more than 2048 characters (including spaces) in the search list";
    errors.push(invalid(place, [...searches], why));
  }
  searches.forEach((search, i) => {
    const domain = search.replace(/\.$/, "");
    if (search !== ".")
      errors.push(...isDNS1123SubdomainWithUnderscore(domain).map((why) => invalid(at(place, i), domain, why)));
  });
  structs(config, "options").forEach((option, i) => {
    if (text(option, "name") === "") errors.push(required(at(child(path, "options"), i), "must not be empty"));
  });
  return errors;
}

function gateErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return [
    ...structs(spec, "readinessGates").flatMap((gate, i) => {
      const type = text(gate, "conditionType");
      return isQualifiedName(type).map((why) =>
        invalid(child(at(child(path, "readinessGates"), i), "conditionType"), type, why),
      );
    }),
    ...structs(spec, "schedulingGates").flatMap((gate, i) => {
      const name = text(gate, "name");
      const place = at(child(path, "schedulingGates"), i);
      const errors = isQualifiedName(name).map((why) => invalid(place, name, why));
      if (seen.has(name)) errors.push(duplicate(place, name));
      seen.add(name);
      return errors;
    }),
  ];
}

function hostAliasErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return structs(spec, "hostAliases").flatMap((alias, i) => [
    ...ipErrors(text(alias, "ip"), child(at(path, i), "ip")),
    ...texts(alias, "hostnames").flatMap((name, j) =>
      isDNS1123Subdomain(name).map((why) => invalid(at(child(at(path, i), "hostnames"), j), name, why)),
    ),
  ]);
}

function deadlineErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const seconds = number(spec, "activeDeadlineSeconds");
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_DEADLINE)) return [];
  return [invalid(child(path, "activeDeadlineSeconds"), seconds, inclusiveRangeError(1, MAX_DEADLINE))];
}

/** The spec of a pod, on its own or in a template. */
export function podSpecErrors(spec: JsonObject, path: FieldPath, isPod: boolean): FieldError[] {
  const { errors, volumes } = volumeErrors(spec, child(path, "volumes"));
  const pod: PodAround = {
    volumes,
    grace: number(spec, "terminationGracePeriodSeconds"),
    restartPolicy: text(spec, "restartPolicy"),
  };
  return [
    ...errors,
    ...containerErrors(spec, pod, child(path, "containers")),
    ...initContainerErrors(spec, pod, child(path, "initContainers")),
    ...ephemeralContainerErrors(spec, pod, child(path, "ephemeralContainers")),
    ...hostNetworkErrors(spec, path, isPod),
    ...requiredChoiceErrors(spec, "restartPolicy", RESTART_POLICIES, path),
    ...requiredChoiceErrors(spec, "dnsPolicy", DNS_POLICIES, path),
    ...labelErrors(entries(spec, "nodeSelector"), child(path, "nodeSelector")),
    ...podSecurityContextErrors(spec, child(path, "securityContext")),
    ...affinityErrors(struct(spec, "affinity"), child(path, "affinity")),
    ...dnsErrors(spec, child(path, "dnsConfig")),
    ...gateErrors(spec, path),
    ...spreadErrors(structs(spec, "topologySpreadConstraints"), child(path, "topologySpreadConstraints")),
    ...nameErrors(spec, "serviceAccountName", isDNS1123Subdomain, path),
    ...nameErrors(spec, "nodeName", isDNS1123Subdomain, path),
    ...deadlineErrors(spec, path),
    ...nameErrors(spec, "hostname", isDNS1123Label, path),
    ...nameErrors(spec, "subdomain", isDNS1123Label, path),
    ...tolerationErrors(structs(spec, "tolerations"), child(path, "tolerations")),
    ...hostAliasErrors(spec, child(path, "hostAliases")),
    ...nameErrors(spec, "priorityClassName", isDNS1123Subdomain, path),
    ...nameErrors(spec, "runtimeClassName", isDNS1123Subdomain, path),
    ...(spec["preemptionPolicy"] === undefined
      ? []
      : requiredChoiceErrors(spec, "preemptionPolicy", ["PreemptLowerPriority", "Never"], path)),
  ];
}

/** A pod template: its labels, annotations and spec. */
export function podTemplateErrors(template: JsonObject, path: FieldPath): FieldError[] {
  const spec = struct(template, "spec") ?? {};
  const meta = struct(template, "metadata");
  return [
    ...labelErrors(entries(meta, "labels"), child(path, "labels")),
    ...entries(meta, "annotations").flatMap(([key]) =>
      isQualifiedName(key.toLowerCase()).map((why) => invalid(child(path, "annotations"), key, why)),
    ),
    ...podSpecErrors(spec, child(path, "spec"), false),
    ...(structs(spec, "ephemeralContainers").length > 0
      ? [forbiddenField(child(path, "spec", "ephemeralContainers"), "ephemeral containers not allowed in pod template")]
      : []),
  ];
}
