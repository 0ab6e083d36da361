import type { Selection } from "./connected-gateway.ts";

/** On an object: the gateway that it is for. On a gateway: what it is called by objects, beside its name. */
export const GATEWAY_LABEL = "avapigw.io/gateway";

/** An object that names a gateway is for gateways of that name or label; one that names none is for all. */
export const byLabel: Selection = (gateway, { labels }) => {
  const wanted = labels[GATEWAY_LABEL];
  return wanted === undefined || wanted === gateway.name || wanted === gateway.labels[GATEWAY_LABEL];
};
