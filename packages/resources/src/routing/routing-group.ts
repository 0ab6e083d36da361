/** Group and version of the kinds that gateways are configured with. */
export const ROUTING_GROUP = { group: "avapigw.io", version: "v1alpha1" } as const;
