export { gatewayHost, gatewayUri } from "./certificates/gateway-names.ts";
export type { ConnectionView, GatewayIdentity } from "./distribution/connected-gateway.ts";
export { DEFAULT_FEED_SETTINGS } from "./feed/feed-settings.ts";
export { DEFAULT_ROUTING_SETTINGS } from "./routing-settings.ts";
export type { RoutingSettings } from "./routing-settings.ts";
export { addRouting } from "./routing.ts";
export type { Routing, RoutingOptions } from "./routing.ts";
export { webhookManifest } from "./admission/webhook-manifest.ts";
