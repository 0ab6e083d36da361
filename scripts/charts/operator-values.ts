import { imageValues, nameValues, placeValues, SPREAD } from "./pod-values.ts";
import { choice, flag, group, object, objects, plain, port, strings, text, texts, whole } from "./value.ts";
import type { Values } from "./value.ts";

const ANYWHERE = [{ namespaceSelector: {} }];

/** What chart `gatewright` takes. */
export const operatorValues: Values = {
  ...imageValues,
  ...nameValues,
  replicas: whole(2, "one leads, all serve gateways and webhooks", [1, 16]),
  cluster: text(
    "",
    "the name of this cluster in the tags of all that is made in AWS; needed by hostnames and infra, and must not change",
    {
      maxLength: 100,
    },
  ),
  aws: group({
    region: text("", "where certificates and load balancers are; needed by hostnames"),
  }),
  applications: group({ enabled: flag(true, "whether Applications become workloads") }),
  hostnames: group({
    enabled: flag(
      false,
      "whether hostnames become live: certificates, records, Gateways. Needs the Gateway API, the AWS Load Balancer Controller and a role in AWS",
    ),
    edgeNamespace: text("edge", "where the Gateways of the pool are"),
    createNamespace: flag(true, "whether the chart makes that namespace; it stays when the release goes"),
    createGatewayClass: flag(true, "whether the chart makes the GatewayClass `aws-alb`"),
    listeners: choice("gateways", ["gateways", "listener-sets"], "where listeners of hostnames are"),
    allowedDomains: strings("domains in which hostnames may be; none: all whose zones the account has"),
    policies: group({
      enabled: flag(
        true,
        "whether routes are held to granted hostnames by ValidatingAdmissionPolicies (Kubernetes 1.30)",
      ),
      scope: choice(
        "pool",
        ["pool", "all"],
        "what is held to grants: what attaches to the pool, or routes and listeners of all Gateways",
      ),
    }),
  }),
  infra: group({
    enabled: flag(
      false,
      "whether AWS resources are made: buckets, queues, databases …; needs a role in AWS, or AWSProviders with keys",
    ),
    allowedRoles: objects(
      "which roles namespaces may use: `{ namespaces, roles, ownIdentity }` each; none: all. See `--allowed-roles-file`",
    ),
  }),
  routing: group({
    enabled: flag(true, "whether objects of avapigw.io and Ingresses go to gateways"),
    gateways: strings("`namespace/name` of gateways that get certificates from the operator's authority; their namespaces have to be there before", {
      pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?/[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
    }),
    grpc: group({
      port: port(9444, "where gateways dial in, over mTLS"),
      bindIdentity: flag(true, "whether a gateway's certificate must be in its name"),
    }),
    xds: group({
      enabled: flag(false, "whether Envoys and clients of gRPC are served"),
      port: port(18_000, "where they ask, over mTLS"),
    }),
    webhook: group({
      enabled: flag(true, "whether objects are checked before they are stored"),
      port: port(9443, "where API servers ask"),
      failurePolicy: choice("Fail", ["Fail", "Ignore"], "what happens while no replica answers"),
      timeoutSeconds: whole(10, "how long API servers wait", [1, 30]),
    }),
    ingress: group({
      enabled: flag(true, "whether Ingresses are served"),
      className: text("avapigw", "of which class"),
      createClass: flag(true, "whether the chart makes the IngressClass"),
      addresses: strings(
        "what the status of Ingresses says: addresses or names of the load balancer before the gateways",
      ),
    }),
    certificates: group({
      provider: choice(
        "selfsigned",
        ["selfsigned", "cert-manager", "file", "vault"],
        "who issues the operator's certificate",
      ),
      secretName: text(
        "",
        "selfsigned: the Secret with the authority; cert-manager and file: the Secret with `tls.crt`, `tls.key`, `ca.crt`. Default: made from the release's name",
      ),
      dnsNames: strings("further names of the operator"),
      issuerRef: object("cert-manager: the issuer, such as `{ name: internal, kind: ClusterIssuer }`"),
      vault: group({
        address: text("", "vault: its URL"),
        mount: text("pki", "its PKI engine"),
        role: text("operator", "the role there"),
        loginRole: text("", "the role for the login as the service account"),
        loginMount: text("kubernetes", "where that login is mounted"),
      }),
    }),
  }),
  console: group({
    enabled: flag(false, "whether the web console is served, on the pod's own machine: `kubectl port-forward` reaches it"),
    port: port(9445, "where"),
    certificateSecret: text(
      "",
      "a Secret of the type `kubernetes.io/tls`. With it the console is served to others, too, over TLS, and the Service leads to it",
    ),
    hosts: strings("names that it is reached by; requests for others are refused. None: all"),
  }),
  options: plain("further options of `gatewright operator`, by their names: `{ log-level: debug }`"),
  serviceAccount: group({
    create: flag(true, "whether the chart makes the service account"),
    name: text("", "its name; default: made from the release's name"),
    annotations: texts("such as `eks.amazonaws.com/role-arn` for IRSA"),
  }),
  rbac: group({ create: flag(true, "whether the chart makes the roles of the enabled parts, and binds them") }),
  log: group({
    level: choice("info", ["debug", "info", "warn", "error"], "the least that is told"),
    format: choice("json", ["json", "text"], "how"),
  }),
  tracing: group({
    endpoint: text("", "where spans go as OTLP over HTTP: `http://collector.observability:4318`; none: nowhere"),
  }),
  resources: object("what a pod asks for and may use", {
    requests: { cpu: "100m", memory: "192Mi" },
    limits: { memory: "512Mi" },
  }),
  ...placeValues(SPREAD),
  terminationGracePeriodSeconds: whole(40, "how long a pod has to end", [10, 600]),
  extraEnv: objects("further variables of the container's environment"),
  metrics: group({
    port: port(8080, "where `/metrics` is"),
    serviceMonitor: group({
      enabled: flag(false, "whether there is a ServiceMonitor for the Prometheus Operator"),
      interval: text("30s", "how often it is scraped"),
      scrapeTimeout: text("10s", "how long that may take"),
      labels: texts("labels by which your Prometheus picks it, such as `release: kube-prometheus-stack`"),
    }),
    prometheusRule: group({
      enabled: flag(false, "whether there is a PrometheusRule with the alerts of the enabled parts"),
      labels: texts("labels by which your Prometheus picks it"),
    }),
    dashboards: group({
      enabled: flag(
        false,
        "whether there are ConfigMaps with the dashboards of the enabled parts, for Grafana's sidecar",
      ),
      labels: texts("labels by which the sidecar picks them", { grafana_dashboard: "1" }),
      annotations: texts("annotations, such as `grafana_folder: Gatewright`"),
    }),
  }),
  networkPolicy: group({
    enabled: flag(true, "whether a NetworkPolicy says who talks to the operator, and to whom it talks"),
    gatewaysFrom: objects("where gateways and Envoys are, as peers of a NetworkPolicy", ANYWHERE),
    metricsFrom: objects("where Prometheus is", ANYWHERE),
    consoleFrom: objects("who reaches the console over TLS: mostly the proxy that signs people in", ANYWHERE),
    apiServerPorts: {
      about: "ports of API servers and of AWS",
      initial: [443, 6443],
      schema: { type: "array", items: { type: "integer" } },
    },
    extraEgress: objects("further rules of egress: Vault, a collector of traces, gateways that are pushed to"),
  }),
};
