import { nameIsDNSLabel } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource, Subresource } from "../resources/resource.ts";
import { builtIn, statusSubresource } from "./built-in.ts";
import { age, columns, labelsText } from "./columns.ts";
import { loadBalancerErrors, loadBalancerText } from "./load-balancer-status.ts";
import { allocateAddresses, dropFormerTypeFields } from "./service-addresses.ts";
import type { ServiceAllocator } from "./service-allocator.ts";
import { serviceChangeErrors, serviceErrors } from "./service-validation.ts";
import { warnOfService } from "./service-warnings.ts";

const AFFINITY_SECONDS = 10800;

function setAffinity(spec: JsonObject): void {
  setDefault(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] !== "ClientIP") return;
  const seconds = number(struct(spec, "sessionAffinityConfig", "clientIP"), "timeoutSeconds");
  if (seconds === undefined) spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
}

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  setAffinity(spec);
  setDefault(spec, "type", "ClusterIP");
  const type = text(spec, "type");
  for (const port of structs(spec, "ports")) {
    setDefault(port, "protocol", "TCP");
    if (port["targetPort"] === 0 || port["targetPort"] === "") port["targetPort"] = count(port, "port");
  }
  const outside = type === "NodePort" || type === "LoadBalancer";
  if (outside || texts(spec, "externalIPs").length > 0) setDefault(spec, "externalTrafficPolicy", "Cluster");
  if (outside || type === "ClusterIP") setDefault(spec, "internalTrafficPolicy", "Cluster");
  if (type !== "LoadBalancer") return;
  setDefault(spec, "allocateLoadBalancerNodePorts", true);
  for (const ingress of structs(struct(object, "status", "loadBalancer"), "ingress")) {
    if (text(ingress, "ip") !== "") setDefault(ingress, "ipMode", "VIP");
  }
}

function externalIP(object: KubeObject, spec: JsonObject): string {
  const ips = texts(spec, "externalIPs").join(",");
  switch (text(spec, "type")) {
    case "ClusterIP":
    case "NodePort":
      return ips || "<none>";
    case "LoadBalancer":
      return [loadBalancerText(object), ips].filter((part) => part !== "").join(",") || "<pending>";
    case "ExternalName":
      return text(spec, "externalName");
    default:
      return "<unknown>";
  }
}

function portsText(spec: JsonObject): string {
  const ports = structs(spec, "ports").map((port) => {
    const node = number(port, "nodePort");
    return `${number(port, "port")}${node ? `:${node}` : ""}/${text(port, "protocol")}`;
  });
  return ports.join(",") || "<none>";
}

function statusErrors(object: KubeObject): FieldError[] {
  const balanced = text(struct(object, "spec"), "type") === "LoadBalancer";
  return loadBalancerErrors(object, balanced ? undefined : "may only be used when `spec.type` is 'LoadBalancer'");
}

/** Services. Their addresses and node ports come from the allocator; `connections` lead to the pods behind them. */
export function services(
  allocator: ServiceAllocator,
  connections: Readonly<Record<string, Subresource>> = {},
): Resource {
  return builtIn({
    group: "",
    kind: "Service",
    resource: "services",
    namespaced: true,
    shortNames: ["svc"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(
          ["Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector@1"],
          (object, now) => {
            const spec = specOf(object);
            return [
              object.metadata.name ?? "",
              text(spec, "type"),
              texts(spec, "clusterIPs")[0] ?? "<none>",
              externalIP(object, spec),
              portsText(spec),
              age(object, now),
              labelsText(struct(spec, "selector")),
            ];
          },
        ),
        subresources: { status: statusSubresource({ validateUpdate: statusErrors }), ...connections },
      },
    ],
    strategy: {
      nameErrors: nameIsDNSLabel,
      returnsDeletedObject: true,
      allowsCreateOnUpdate: true,
      newStatus: () => ({ loadBalancer: {} }),
      prepareForCreate: (object, context) => allocateAddresses(allocator, object, undefined, context),
      prepareForUpdate(object, old, context) {
        const [spec, before] = [specOf(object), specOf(old)];
        allocateAddresses(allocator, object, old, context);
        dropFormerTypeFields(spec, before);
        if (text(spec, "type") !== "LoadBalancer") object["status"] = { ...struct(object, "status"), loadBalancer: {} };
      },
      validateCreate: (object) => serviceErrors(object, undefined),
      validateUpdate: (object, old) => [...serviceChangeErrors(object, old), ...serviceErrors(object, old)],
      warn: warnOfService,
      fieldLabels: {
        "spec.clusterIP": (object) => text(struct(object, "spec"), "clusterIP"),
        "spec.type": (object) => text(struct(object, "spec"), "type"),
      },
    },
  });
}
