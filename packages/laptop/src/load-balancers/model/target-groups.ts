import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { TargetGroupConfiguration } from "@gatewright/resources";
import type { Backend } from "../cluster/backends.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import type { RouteView } from "../cluster/route-view.ts";
import { ModelError } from "./model.ts";
import type { TargetBinding, TargetGroupModel } from "./model.ts";
import { awsName, trackingTags } from "./names.ts";

type Configured = NonNullable<Immutable<TargetGroupConfiguration>["spec"]>;
export type TargetGroupSettings = NonNullable<Configured["defaultConfiguration"]>;
type FoundBackend = Extract<Backend, { readonly found: true }>;

export interface TargetGroupGround {
  readonly cluster: string;
  readonly stack: string;
  readonly defaultTargetType: "instance" | "ip";
  /** Settings for Services that have none of their own. */
  readonly fallback: TargetGroupSettings;
}

/** The target group of a Service's port for one route. Routes share none: each may have settings of its own. */
export function targetGroupOf(
  view: ClusterView,
  ground: TargetGroupGround,
  route: RouteView,
  backend: FoundBackend,
): TargetGroupModel {
  const { service, port } = backend;
  const settings = { ...ground.fallback, ...ownSettings(view, route, backend) };
  const targetType = settings.targetType ?? ground.defaultTargetType;
  const id = `${route.kind}/${keyOf(route.ref)}:${keyOf(service)}:${port.port}`;
  const grpc = route.kind === "GRPCRoute";
  const fixed = {
    TargetType: targetType,
    Protocol: settings.protocol ?? "HTTP",
    ProtocolVersion: settings.protocolVersion ?? (grpc ? "GRPC" : "HTTP1"),
    IpAddressType: settings.ipAddressType ?? "ipv4",
    Port: groupPort(targetType, backend),
  };
  const facts = [ground.cluster, ground.stack, id, ...Object.values(fixed).map(String)];
  return {
    id,
    name: settings.targetGroupName ?? awsName(service, facts),
    settings: { ...fixed, ...healthCheck(settings, fixed.ProtocolVersion === "GRPC") },
    attributes: (settings.targetGroupAttributes ?? [])
      .map(({ key, value }) => [key, value] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    tags: { ...settings.tags, ...trackingTags(ground.cluster, ground.stack, id) },
    binding: { service, port: port.port, targetType, nodeSelector: settings.nodeSelector },
  };
}

/** Whose targets a group has, from the id that it was made with. Undefined when it is none of ours. */
export function bindingOf(id: string, targetType: string | undefined): TargetBinding | undefined {
  const [, namespace, name, port] = /^[^:]+:([^/:]+)\/([^/:]+):(\d+)$/.exec(id) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  const type = targetType === "ip" ? "ip" : "instance";
  return { service: { namespace, name }, port: Number(port), targetType: type, nodeSelector: undefined };
}

function ownSettings(view: ClusterView, route: RouteView, { service }: FoundBackend): TargetGroupSettings {
  const [first] = view.targetGroupConfigurationsOf(service);
  const ofRoute = first?.spec?.routeConfigurations?.find(
    ({ routeIdentifier: { kind, namespace, name } }) =>
      (kind ?? route.kind) === route.kind &&
      (namespace ?? route.ref.namespace) === route.ref.namespace &&
      (name ?? route.ref.name) === route.ref.name,
  );
  return { ...first?.spec?.defaultConfiguration, ...ofRoute?.targetGroupProps };
}

/** Targets are registered with ports of their own; this one only has to be there. */
function groupPort(targetType: "instance" | "ip", { object, service, port }: FoundBackend): number {
  if (targetType === "ip") return typeof port.targetPort === "number" ? port.targetPort : 1;
  if (object.spec?.type !== "NodePort" && object.spec?.type !== "LoadBalancer") {
    throw new ModelError(
      `Service ${keyOf(service)} must be of type NodePort or LoadBalancer for targets of type instance; a TargetGroupConfiguration can ask for type ip`,
    );
  }
  return port.nodePort ?? 1;
}

function healthCheck({ healthCheckConfig: asked = {} }: TargetGroupSettings, grpc: boolean) {
  return {
    HealthCheckEnabled: true,
    HealthCheckProtocol: asked.healthCheckProtocol ?? "HTTP",
    HealthCheckPort: asked.healthCheckPort ?? "traffic-port",
    HealthCheckPath: asked.healthCheckPath ?? (grpc ? "/AWS.ALB/healthcheck" : "/"),
    HealthCheckIntervalSeconds: asked.healthCheckInterval ?? 15,
    HealthCheckTimeoutSeconds: asked.healthCheckTimeout ?? 5,
    HealthyThresholdCount: asked.healthyThresholdCount ?? 3,
    UnhealthyThresholdCount: asked.unhealthyThresholdCount ?? 3,
    Matcher: grpc ? { GrpcCode: asked.matcher?.grpcCode ?? "12" } : { HttpCode: asked.matcher?.httpCode ?? "200-399" },
  };
}
