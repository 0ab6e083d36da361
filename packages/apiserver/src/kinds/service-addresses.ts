import { at, deepEqual, invalid, invalidObject } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setOrDrop, specOf, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { WriteContext } from "../resources/resource.ts";
import { allocateNodePorts } from "./service-allocator.ts";
import type { ServiceAllocator } from "./service-allocator.ts";
import { clusterIPErrors } from "./service-validation.ts";

const isExternalName = (spec: JsonObject | undefined): boolean => text(spec, "type") === "ExternalName";
const isHeadless = (spec: JsonObject): boolean => text(spec, "clusterIP") === "None";

function sameClusterIPs(old: JsonObject, spec: JsonObject): boolean {
  return (
    text(old, "clusterIP") === text(spec, "clusterIP") &&
    deepEqual(texts(old, "clusterIPs") as Json, texts(spec, "clusterIPs") as Json)
  );
}

/** `clusterIP` and `clusterIPs` tell the same: what a client changed in one follows in the other. */
function normalizeClusterIPs(spec: JsonObject, old: JsonObject | undefined): void {
  const first = text(spec, "clusterIP");
  if (!old) {
    if (first !== "" && texts(spec, "clusterIPs").length === 0) spec["clusterIPs"] = [first];
    return;
  }
  if (texts(spec, "clusterIPs").length === 0 && text(old, "clusterIP") === first) {
    setOrDrop(spec, "clusterIPs", old["clusterIPs"] && [...texts(old, "clusterIPs")]);
  }
  if (
    text(old, "clusterIP") !== first &&
    deepEqual(texts(old, "clusterIPs") as Json, texts(spec, "clusterIPs") as Json)
  ) {
    setOrDrop(spec, "clusterIPs", first === "" ? undefined : [first]);
  }
}

function needsNodePorts(spec: JsonObject): boolean {
  const type = text(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
}

function needsHealthCheckPort(spec: JsonObject): boolean {
  return text(spec, "type") === "LoadBalancer" && text(spec, "externalTrafficPolicy") === "Local";
}

/** Values that the server gave stay when a client leaves them out. */
function keepAllocated(spec: JsonObject, old: JsonObject): void {
  if (!isExternalName(old) && !isExternalName(spec)) {
    if (text(spec, "clusterIP") === "") setOrDrop(spec, "clusterIP", old["clusterIP"]);
    if (texts(spec, "clusterIPs").length === 0)
      setOrDrop(spec, "clusterIPs", old["clusterIPs"] && [...texts(old, "clusterIPs")]);
  }
  if (needsNodePorts(old) && needsNodePorts(spec)) {
    const before = new Map(structs(old, "ports").map((port) => [text(port, "name"), number(port, "nodePort")]));
    const asked = new Set(structs(spec, "ports").map((port) => number(port, "nodePort")));
    for (const port of structs(spec, "ports")) {
      const kept = before.get(text(port, "name"));
      if (!number(port, "nodePort") && kept && !asked.has(kept)) port["nodePort"] = kept;
    }
  }
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && !number(spec, "healthCheckNodePort")) {
    setOrDrop(spec, "healthCheckNodePort", old["healthCheckNodePort"]);
  }
}

/** Fields of the type that a Service no longer has go away with it, unless the client changed them. */
export function dropFormerTypeFields(spec: JsonObject, old: JsonObject): void {
  const same = (field: string): boolean => deepEqual(spec[field], old[field]);
  const drop = (field: string): void => {
    if (same(field)) delete spec[field];
  };
  const ports = (s: JsonObject): boolean => ["NodePort", "LoadBalancer"].includes(text(s, "type"));
  const outside = (s: JsonObject): boolean => ports(s) || texts(s, "externalIPs").length > 0;
  if (!isExternalName(old) && isExternalName(spec)) {
    if (sameClusterIPs(old, spec)) {
      delete spec["clusterIP"];
      delete spec["clusterIPs"];
    }
    drop("ipFamilies");
    drop("ipFamilyPolicy");
    drop("internalTrafficPolicy");
  }
  if (ports(old) && !ports(spec)) {
    const before = new Set(structs(old, "ports").map((port) => number(port, "nodePort")));
    const news = structs(spec, "ports").filter(
      (port) => number(port, "nodePort") && !before.has(number(port, "nodePort")),
    );
    if (news.length === 0) for (const port of structs(spec, "ports")) delete port["nodePort"];
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec)) drop("healthCheckNodePort");
  if (text(old, "type") === "LoadBalancer" && text(spec, "type") !== "LoadBalancer") {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
  }
  if (outside(old) && !outside(spec)) drop("externalTrafficPolicy");
}

/** `ipFamilies` and `ipFamilyPolicy` on a server that has IPv4 only. */
function setFamilies(service: KubeObject, spec: JsonObject, old: JsonObject | undefined): void {
  const withoutSelector = isHeadless(spec) && Object.keys(struct(spec, "selector") ?? {}).length === 0;
  if (!text(spec, "ipFamilyPolicy")) {
    spec["ipFamilyPolicy"] = text(old, "ipFamilyPolicy") || (withoutSelector ? "RequireDualStack" : "SingleStack");
  }
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw invalidObject({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
  };
  refuse(clusterIPErrors(service, old));
  const policy = text(spec, "ipFamilyPolicy");
  const families = [...texts(spec, "ipFamilies")];
  const errors: FieldError[] = [];
  if (policy === "SingleStack") {
    const why = (what: string): string =>
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    if (texts(spec, "clusterIPs").length === 2) errors.push(invalid("spec.ipFamilyPolicy", policy, why("cluster IPs")));
    if (families.length === 2) errors.push(invalid("spec.ipFamilyPolicy", policy, why("IP families")));
  }
  texts(spec, "clusterIPs").forEach((ip, i) => {
    if (ip === "None" || i < families.length) return;
    if (ip.includes(":"))
      errors.push(invalid(at("spec.clusterIPs", i), spec["clusterIPs"]!, "IPv6 is not configured on this cluster"));
    else families.push("IPv4");
  });
  refuse(errors);
  if (withoutSelector) {
    if (families.length === 0) families.push("IPv4");
    if (families.length < 2 && policy !== "SingleStack") families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  } else {
    if (policy === "RequireDualStack") {
      errors.push(invalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services"));
    }
    families.forEach((family, i) => {
      if (family !== "IPv4") errors.push(invalid(at("spec.ipFamilies", i), family, "not configured on this cluster"));
    });
    refuse(errors);
    if (families.length === 0) families.push("IPv4");
  }
  spec["ipFamilies"] = families;
}

/** Gives a new or changed Service the addresses and ports that it needs. Throws a StatusError where it cannot have them. */
export function allocateAddresses(
  allocator: ServiceAllocator,
  service: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): void {
  const spec = specOf(service);
  const before = struct(old, "spec");
  if (before) keepAllocated(spec, before);
  normalizeClusterIPs(spec, before);
  if (!isExternalName(spec)) {
    setFamilies(service, spec, before);
    if (!isHeadless(spec) && (!before || isExternalName(before))) {
      const ip = allocator.clusterIP(service, texts(spec, "clusterIPs")[0] ?? "", context);
      spec["clusterIP"] = ip;
      spec["clusterIPs"] = [ip];
    }
  }
  if (needsNodePorts(spec)) allocateNodePorts(allocator, service, old, context);
  if (needsHealthCheckPort(spec) && !(before && needsHealthCheckPort(before))) {
    const asked = count(spec, "healthCheckNodePort");
    spec["healthCheckNodePort"] = allocator.nodePort(service, asked, "spec.healthCheckNodePort", context);
  }
}
