import { GATEWAY_LABEL } from "@gatewright/resources";
import type { Selection } from "./connected-gateway.ts";

/** An object that names a gateway is for gateways of that name or label; one that names none is for all. */
export const byLabel: Selection = (gateway, { labels }) => {
  const wanted = labels[GATEWAY_LABEL];
  return wanted === undefined || wanted === gateway.name || wanted === gateway.labels[GATEWAY_LABEL];
};
