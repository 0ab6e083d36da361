import { imageValues, nameValues, placeValues, SPREAD } from "./pod-values.ts";
import { choice, flag, group, object, objects, port, strings, text, texts, whole } from "./value.ts";
import type { Values } from "./value.ts";

/** What chart `gatewright-gateway` takes. */
export const gatewayValues: Values = {
  dataPlane: choice("gatewright", ["gatewright", "envoy"], "what serves: our own gateway, or Envoy by xDS"),
  ...imageValues,
  envoy: group({
    image: text("", "dataPlane `envoy`: its image with tag or digest; needed then"),
    concurrency: whole(2, "its threads", [1, 256]),
    logLevel: choice("warning", ["trace", "debug", "info", "warning", "error", "critical"], "the least that it tells"),
  }),
  ...nameValues,
  replicas: whole(2, "how many pods, where nothing scales them", [1, 1000]),
  autoscaling: group({
    enabled: flag(false, "whether a HorizontalPodAutoscaler decides how many pods there are"),
    minReplicas: whole(2, "at least", [1, 1000]),
    maxReplicas: whole(10, "at most", [1, 1000]),
    targetCPUUtilizationPercentage: whole(70, "of the processor that pods ask for", [1, 100]),
  }),
  operator: group({
    address: text(
      "gatewright.gatewright.svc:9444",
      "where the operator is: its gRPC port, or its xDS port (18000) for Envoy",
    ),
    serverName: text("gatewright.gatewright.svc", "the name in the operator's certificate"),
    clientSecret: text(
      "",
      "the Secret with the gateway's certificate; default: `<name>-operator-client`, which the operator makes for names in its `routing.gateways`",
    ),
    namespaces: strings("whose objects are taken; none: all. Our own gateway only"),
  }),
  listeners: group({
    http: group({ enabled: flag(true, "whether plain HTTP is served"), port: port(8080, "where pods listen") }),
    https: group({
      enabled: flag(false, "whether TLS is served; Envoy always does, with the certificates of routes"),
      port: port(8443, "where pods listen"),
      certificateSecret: text(
        "",
        "our own gateway: the Secret of type `kubernetes.io/tls` that is shown to who asks for no name of a route; needed",
      ),
    }),
  }),
  trustedProxies: strings(
    "our own gateway: load balancers in front that are believed about whom they speak for, as networks",
  ),
  settings: object("our own gateway: further settings, as in docs/reference/gateway-settings.md; they win"),
  workers: whole(1, "our own gateway: threads that serve", [1, 256]),
  service: group({
    type: choice("ClusterIP", ["ClusterIP", "NodePort", "LoadBalancer"], "of which type its Service is"),
    httpPort: port(80, "the Service's port for HTTP"),
    httpsPort: port(443, "the Service's port for TLS"),
    annotations: texts("such as those of the AWS Load Balancer Controller"),
  }),
  resources: object("what a pod asks for and may use", {
    requests: { cpu: "250m", memory: "256Mi" },
    limits: { memory: "768Mi" },
  }),
  ...placeValues(SPREAD),
  drainSeconds: whole(30, "how long requests under way have when a pod ends", [1, 3600]),
  extraEnv: objects("further variables of the container's environment"),
  metrics: group({
    podMonitor: group({
      enabled: flag(false, "whether there is a PodMonitor for the Prometheus Operator"),
      interval: text("30s", "how often pods are scraped"),
      labels: texts("labels by which your Prometheus picks it"),
    }),
    prometheusRule: group({
      enabled: flag(false, "our own gateway: whether there is a PrometheusRule with its alerts"),
      labels: texts("labels by which your Prometheus picks it"),
    }),
    dashboards: group({
      enabled: flag(false, "our own gateway: whether there is a ConfigMap with its dashboard, for Grafana's sidecar"),
      labels: texts("labels by which the sidecar picks it", { grafana_dashboard: "1" }),
      annotations: texts("annotations, such as `grafana_folder: Gatewright`"),
    }),
  }),
  networkPolicy: group({
    enabled: flag(
      true,
      "whether a NetworkPolicy says who reaches the admin port; the ports of listeners are for everybody",
    ),
    metricsFrom: objects("where Prometheus is, as peers of a NetworkPolicy", [{ namespaceSelector: {} }]),
  }),
};
