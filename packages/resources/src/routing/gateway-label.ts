/** On a route or Ingress: the gateway that it is for. On a gateway: what it is called by them, beside its name. */
export const GATEWAY_LABEL = "avapigw.io/gateway";
