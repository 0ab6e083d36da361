export const GATEWAY_API_GROUP = "gateway.networking.k8s.io";

/** What the manifests of the group's kinds have in common. The annotations say which release of the API they speak. */
export const gatewayApiKind = {
  group: GATEWAY_API_GROUP,
  categories: ["gateway-api"],
  annotations: {
    "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api/pull/4530",
    "gateway.networking.k8s.io/bundle-version": "v1.6.1",
    "gateway.networking.k8s.io/channel": "standard",
  },
} as const;
