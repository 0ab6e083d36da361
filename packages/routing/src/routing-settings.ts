import type { WebhookServerOptions } from "@gatewright/runtime/webhook";
import { DEFAULT_FEED_SETTINGS } from "./feed/feed-settings.ts";
import type { FeedSettings } from "./feed/feed-settings.ts";
import { DEFAULT_INGRESS_CLASS } from "./ingress/ingress-source.ts";
import type { IngressClassSettings } from "./ingress/ingress-source.ts";
import type { PushedGateway } from "./push/push-to-gateways.ts";
import type { EnvoySettings } from "./xds/envoy/envoy-settings.ts";

/** Ingresses that are served like routes. */
export interface IngressSettings extends IngressClassSettings {
  /** Where clients reach the gateways, for the status of Ingresses. */
  readonly addresses: readonly string[];
}

/** What is decided about routing. */
export interface RoutingSettings {
  readonly feed: FeedSettings;
  /** Undefined: Ingresses are left to others. */
  readonly ingress: IngressSettings | undefined;
  /** Where API servers ask whether an object is good. Undefined: nowhere, they are told by its status alone. */
  readonly webhooks: (Pick<WebhookServerOptions, "host" | "lingerMs"> & { readonly port: number }) | undefined;
  /** Where gateways dial in: `0.0.0.0:9444`. */
  readonly streamAddress: string;
  /** Where Envoys and proxyless clients of gRPC ask, and how those Envoys are set up. Undefined: nowhere. */
  readonly xds: { readonly address: string; readonly envoy: EnvoySettings } | undefined;
  /** Gateways that are dialled and pushed to, instead of dialling in. */
  readonly pushed: readonly PushedGateway[];
  /** How often gateways say that they live. */
  readonly heartbeatMs: number;
  /** Whether a gateway's certificate must be in its name. Only to be turned off while gateways move here from elsewhere. */
  readonly bindsIdentity: boolean;
}

export const DEFAULT_ROUTING_SETTINGS: RoutingSettings = {
  feed: DEFAULT_FEED_SETTINGS,
  ingress: { ...DEFAULT_INGRESS_CLASS, addresses: [] },
  webhooks: { port: 9443 },
  streamAddress: "0.0.0.0:9444",
  xds: undefined,
  pushed: [],
  heartbeatMs: 30_000,
  bindsIdentity: true,
};
