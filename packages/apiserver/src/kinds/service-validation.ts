import { isIP } from "node:net";
import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalid,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortNum,
  key,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, entries, number, specOf, struct, structs, text, textAt, texts } from "../resources/object-fields.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { cidrErrors, endpointIPErrors, ipErrors } from "./ip-validation.ts";
import { labelErrors } from "./label-selector-validation.ts";
import { repeatedPortErrors, servicePortErrors } from "./service-port-validation.ts";

const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

const isHeadless = (spec: JsonObject): boolean =>
  texts(spec, "clusterIPs").length === 1 && texts(spec, "clusterIPs")[0] === "None";

function fieldChoiceErrors(spec: JsonObject, field: string, choices: readonly string[]): FieldError[] {
  return optionalChoiceErrors(text(spec, field), choices, child("spec", field));
}

/** Rules between `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`. */
export function clusterIPErrors(service: KubeObject, old: JsonObject | undefined): FieldError[] {
  const spec = specOf(service);
  if (text(spec, "type") === "ExternalName") return [];
  const errors: FieldError[] = [];
  const path = "spec.clusterIPs";
  const ips = texts(spec, "clusterIPs");
  const families = texts(spec, "ipFamilies");
  const shown = [...ips];
  if (text(spec, "clusterIP") === "") {
    if (ips.length > 0) errors.push(invalid(path, shown, "must be empty when `clusterIP` is not specified"));
  } else if (ips.length === 0) {
    errors.push(required(path));
  } else if (ips[0] !== text(spec, "clusterIP")) {
    errors.push(invalid(path, shown, "first value must match `clusterIP`"));
  }
  families.forEach((family, i) => {
    const place = at("spec.ipFamilies", i);
    if (family !== "IPv4" && family !== "IPv6") errors.push(notSupported(place, family, ["IPv4", "IPv6"]));
    if (families.indexOf(family) < i) errors.push(duplicate(place, family));
  });
  errors.push(...fieldChoiceErrors(spec, "ipFamilyPolicy", ["PreferDualStack", "RequireDualStack", "SingleStack"]));
  const ipProblems = ips.flatMap((ip, i) => {
    if (i > 0 || ip !== "None") return ipErrors(ip, at(path, i), texts(old, "clusterIPs"));
    return ips.length > 1 ? [invalid(path, shown, "'None' must be the first and only value")] : [];
  });
  errors.push(...ipProblems);
  if (ips.length > 2) errors.push(invalid(path, shown, "may only hold up to 2 values"));
  if (ipProblems.length > 0) return errors;
  if (ips.length > 1 && new Set(ips.map(isIP)).size < 2) {
    errors.push(invalid(path, shown, "may specify no more than one IP for each IP family"));
  }
  if (isHeadless(spec)) return errors;
  ips.forEach((ip, i) => {
    const family = families[i];
    if (family === undefined || family === `IPv${isIP(ip)}`) return;
    errors.push(invalid(at(path, i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``));
  });
  return errors;
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const errors = fieldChoiceErrors(spec, "sessionAffinity", ["ClientIP", "None"]);
  const seconds = number(struct(spec, "sessionAffinityConfig", "clientIP"), "timeoutSeconds");
  if (text(spec, "sessionAffinity") === "ClientIP" && seconds !== undefined && (seconds <= 0 || seconds > 86400)) {
    const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
    errors.push(invalid(path, seconds, "must be greater than 0 and less than 86400"));
  }
  return errors;
}

function typeErrors(spec: JsonObject): FieldError[] {
  const type = text(spec, "type");
  const errors: FieldError[] = [];
  if (type === "ExternalName") {
    const why = "may not be set for ExternalName services";
    if (texts(spec, "clusterIPs").length > 0) errors.push(forbiddenField("spec.clusterIPs", why));
    if (texts(spec, "ipFamilies").length > 0) errors.push(forbiddenField("spec.ipFamilies", why));
    if (text(spec, "ipFamilyPolicy") !== "") errors.push(forbiddenField("spec.ipFamilyPolicy", why));
    const name = text(spec, "externalName").replace(/\.$/, "");
    if (name === "") errors.push(required("spec.externalName"));
    else errors.push(...isDNS1123Subdomain(name).map((why) => invalid("spec.externalName", name, why)));
  } else if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    errors.push(invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`));
  }
  return errors;
}

function sourceRangeErrors(service: KubeObject, spec: JsonObject, old: KubeObject | undefined): FieldError[] {
  const balanced = text(spec, "type") === "LoadBalancer";
  const ranges = texts(spec, "loadBalancerSourceRanges");
  const stored = texts(struct(old, "spec"), "loadBalancerSourceRanges").map((range) => range.trim());
  if (ranges.length > 0) {
    const path = "spec.LoadBalancerSourceRanges";
    return [
      ...(balanced ? [] : [forbiddenField(path, ONLY_LOAD_BALANCER)]),
      ...ranges.flatMap((range, i) => cidrErrors(range.trim(), at(path, i), stored)),
    ];
  }
  const annotation = textAt(service.metadata.annotations, SOURCE_RANGES);
  if (annotation === undefined) return [];
  const path = key("metadata.annotations", SOURCE_RANGES);
  const changed = annotation.trim() !== "" && textAt(old?.metadata.annotations, SOURCE_RANGES) !== annotation;
  return [
    ...(balanced ? [] : [forbiddenField(path, ONLY_LOAD_BALANCER)]),
    ...(changed ? annotation.split(",").flatMap((range) => cidrErrors(range.trim(), path)) : []),
  ];
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const type = text(spec, "type");
  const outside = type === "NodePort" || type === "LoadBalancer" || texts(spec, "externalIPs").length > 0;
  const policy = text(spec, "externalTrafficPolicy");
  if (!outside) {
    if (policy !== "") {
      errors.push(invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services"));
    }
  } else {
    errors.push(...fieldChoiceErrors(spec, "externalTrafficPolicy", ["Cluster", "Local"]));
  }
  const healthPort = count(spec, "healthCheckNodePort");
  if (type === "LoadBalancer" && policy === "Local") {
    if (healthPort === 0) errors.push(required("spec.healthCheckNodePort"));
    else errors.push(...isValidPortNum(healthPort).map((why) => invalid("spec.healthCheckNodePort", healthPort, why)));
  } else if (healthPort !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid("spec.healthCheckNodePort", healthPort, why));
  }
  errors.push(...fieldChoiceErrors(spec, "internalTrafficPolicy", ["Cluster", "Local"]));
  errors.push(...fieldChoiceErrors(spec, "trafficDistribution", DISTRIBUTIONS));
  return errors;
}

function loadBalancerErrors(spec: JsonObject): FieldError[] {
  const balanced = text(spec, "type") === "LoadBalancer";
  const errors: FieldError[] = [];
  if (!balanced && spec["allocateLoadBalancerNodePorts"] !== undefined) {
    errors.push(forbiddenField("spec.allocateLoadBalancerNodePorts", ONLY_LOAD_BALANCER));
  }
  const name = spec["loadBalancerClass"];
  if (typeof name !== "string") return errors;
  if (balanced) errors.push(...isQualifiedName(name).map((why) => invalid("spec.loadBalancerClass", name, why)));
  else errors.push(forbiddenField("spec.loadBalancerClass", ONLY_LOAD_BALANCER));
  return errors;
}

/** Everything that is wrong with a Service, addresses already given. */
export function serviceErrors(service: KubeObject, old: KubeObject | undefined): FieldError[] {
  const spec = specOf(service);
  const type = text(spec, "type");
  const stored = texts(struct(old, "spec"), "externalIPs");
  const ports = structs(spec, "ports");
  return [
    ...(ports.length === 0 && !isHeadless(spec) && type !== "ExternalName" ? [required("spec.ports")] : []),
    ...typeErrors(spec),
    ...servicePortErrors(spec),
    ...labelErrors(entries(spec, "selector"), "spec.selector"),
    ...affinityErrors(spec),
    ...clusterIPErrors(service, struct(old, "spec")),
    ...texts(spec, "externalIPs").flatMap((ip, i) => {
      const path = at("spec.externalIPs", i);
      const errors = ipErrors(ip, path, stored);
      return errors.length > 0 ? errors : endpointIPErrors(ip, path);
    }),
    ...fieldChoiceErrors(spec, "type", TYPES),
    ...(type === "ClusterIP" ? ports : []).flatMap((port, i) =>
      number(port, "nodePort")
        ? [forbiddenField(child(at("spec.ports", i), "nodePort"), "may not be used when `type` is 'ClusterIP'")]
        : [],
    ),
    ...repeatedPortErrors(spec),
    ...sourceRangeErrors(service, spec, old),
    ...loadBalancerErrors(spec),
    ...trafficErrors(spec),
  ];
}

/** What may not change in a Service. */
export function serviceChangeErrors(service: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  const errors: FieldError[] = [];
  const external = [spec, before].some((s) => text(s, "type") === "ExternalName");
  const fixed = (field: "clusterIPs" | "ipFamilies", index: (i: number) => number, unset: string): void => {
    const [was, is] = [texts(before, field), texts(spec, field)];
    if (is.length === 0 && was.length > 0) errors.push(invalid(at(child("spec", field), 0), [], unset));
    const count = is.length === was.length ? was.length : Math.min(1, was.length, is.length);
    for (let i = 0; i < count; i++) {
      if (was[i] !== is[i])
        errors.push(invalid(at(child("spec", field), index(i)), [...is], "may not change once set"));
    }
  };
  if (!external && !(isHeadless(spec) && isHeadless(before))) {
    fixed("clusterIPs", (i) => i, "primary clusterIP can not be unset");
    if (!isHeadless(spec) && !isHeadless(before)) fixed("ipFamilies", () => 0, "primary ipFamily can not be unset");
  }
  const balanced = [spec, before].every((s) => text(s, "type") === "LoadBalancer");
  if (balanced && spec["loadBalancerClass"] !== before["loadBalancerClass"]) {
    errors.push(invalid("spec.loadBalancerClass", spec["loadBalancerClass"] ?? null, "may not change once set"));
  }
  const checked = (s: JsonObject): boolean =>
    text(s, "type") === "LoadBalancer" && text(s, "externalTrafficPolicy") === "Local";
  if (checked(spec) && checked(before) && spec["healthCheckNodePort"] !== before["healthCheckNodePort"]) {
    errors.push(forbiddenField("spec.healthCheckNodePort", "field is immutable"));
  }
  return errors;
}
