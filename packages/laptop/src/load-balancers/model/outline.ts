import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Gateway, GatewayClass } from "@gatewright/resources";
import { attachedRoutes } from "../cluster/attachment.ts";
import type { Attached } from "../cluster/attachment.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { configurationOf } from "../cluster/configuration.ts";
import type { Configuration, LoadBalancerSettings } from "../cluster/configuration.ts";
import { gatewayListeners } from "../cluster/listeners.ts";
import type { GatewayListeners } from "../cluster/listeners.ts";
import { certificateSource } from "./listener-certificates.ts";
import type { CertificateSource } from "./listener-certificates.ts";

/** A port that gets a listener: one to which at least one route is attached. */
export interface PortOutline {
  readonly port: number;
  readonly protocol: "HTTP" | "HTTPS";
  readonly attached: readonly Attached[];
  readonly settings: NonNullable<LoadBalancerSettings["listenerConfigurations"]>[number] | undefined;
  /** Undefined for HTTP. */
  readonly certificates: CertificateSource | undefined;
}

/** What of a Gateway is known before anybody asks AWS. */
export interface GatewayOutline {
  readonly gateway: Immutable<Gateway>;
  readonly stack: string;
  readonly configuration: Configuration;
  readonly listeners: GatewayListeners;
  readonly attached: readonly Attached[];
  readonly ports: readonly PortOutline[];
}

/** Listeners that share a port become one, since load balancers have one listener a port. Throws `ConfigurationError`. */
export function outlineOf(
  view: ClusterView,
  gateway: Immutable<Gateway>,
  gatewayClass: Immutable<GatewayClass>,
): GatewayOutline {
  const configuration = configurationOf(view, gateway, gatewayClass);
  const listeners = gatewayListeners(view, gateway);
  const attached = attachedRoutes(view, gateway, listeners.all);
  const byPort = Map.groupBy(attached, ({ listener }) => listener.spec.port);
  const ports = [...byPort.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([port, here]) => portOutline(configuration.settings, port, here));
  return { gateway, stack: keyOf(gateway), configuration, listeners, attached, ports };
}

function portOutline(settings: LoadBalancerSettings, port: number, attached: readonly Attached[]): PortOutline {
  const protocol = attached[0]?.listener.spec.protocol === "HTTPS" ? "HTTPS" : "HTTP";
  const own = settings.listenerConfigurations?.find(({ protocolPort }) => protocolPort === `${protocol}:${port}`);
  const hostnames = new Set(attached.flatMap((each) => [each.listener.spec.hostname, ...each.hostnames]));
  const named = [...hostnames].flatMap((each) => (each === undefined || each === "" ? [] : [each])).toSorted();
  return {
    port,
    protocol,
    attached,
    settings: own,
    certificates: protocol === "HTTPS" ? certificateSource(own, named) : undefined,
  };
}
