/** Values that charts are rendered with in tests, as `--set` takes them, and what each set is for. */
export interface ValueSet {
  readonly about: string;
  readonly chart: "gatewright" | "gatewright-crds" | "gatewright-gateway";
  readonly release: string;
  readonly namespace: string;
  readonly set: readonly string[];
}

const IMAGE = "image.repository=registry.example/gatewright";
const AWS = ["hostnames.enabled=true", "infra.enabled=true", "cluster=prod-1", "aws.region=eu-west-1"];
const operator = { chart: "gatewright", release: "gatewright", namespace: "gatewright" } as const;
const gateway = { chart: "gatewright-gateway", release: "edge", namespace: "edge" } as const;

export const VALUE_SETS: readonly ValueSet[] = [
  { ...operator, about: "the defaults", set: [IMAGE] },
  {
    ...operator,
    about: "everything on",
    set: [
      IMAGE,
      ...AWS,
      "serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn=arn:aws:iam::123456789012:role/gatewright",
      "routing.gateways[0]=edge/edge",
      "routing.xds.enabled=true",
      "infra.allowedRoles[0].namespaces[0]=shop",
      "infra.allowedRoles[0].roles[0]=arn:aws:iam::123456789012:role/shop-*",
      "console.enabled=true",
      "console.certificateSecret=console-tls",
      "console.hosts={console.example.com,gatewright.gatewright.svc}",
      "tracing.endpoint=http://collector.observability:4318",
      "metrics.dashboards.enabled=true",
    ],
  },
  {
    ...operator,
    about: "for the Prometheus Operator and cert-manager",
    set: [
      IMAGE,
      "metrics.serviceMonitor.enabled=true",
      "metrics.serviceMonitor.labels.release=prometheus",
      "metrics.prometheusRule.enabled=true",
      "routing.certificates.provider=cert-manager",
      "routing.certificates.issuerRef.name=internal",
      "routing.certificates.issuerRef.kind=ClusterIssuer",
    ],
  },
  {
    ...operator,
    about: "hostnames alone, elsewhere and under another name",
    release: "names",
    namespace: "ops",
    set: [
      IMAGE,
      ...AWS,
      "infra.enabled=false",
      "applications.enabled=false",
      "routing.enabled=false",
      "hostnames.edgeNamespace=front",
      "hostnames.listeners=listener-sets",
      "hostnames.policies.scope=all",
      "hostnames.allowedDomains={example.com,example.org}",
    ],
  },
  {
    ...operator,
    about: "one replica of routing without webhooks, Ingresses and network policy",
    set: [
      `image.digest=sha256:${"a".repeat(64)}`,
      IMAGE,
      "replicas=1",
      "applications.enabled=false",
      "routing.webhook.enabled=false",
      "routing.ingress.enabled=false",
      "networkPolicy.enabled=false",
      "console.enabled=true",
      "options.cross-namespace=allow",
      "nodeSelector.kubernetes\\.io/arch=arm64",
      "priorityClassName=system-cluster-critical",
    ],
  },
  {
    ...operator,
    about: "a certificate of Vault's, and rights that others give",
    set: [
      IMAGE,
      "rbac.create=false",
      "serviceAccount.create=false",
      "serviceAccount.name=mine",
      "routing.certificates.provider=vault",
      "routing.certificates.vault.address=https://vault:8200",
      "routing.certificates.vault.loginRole=gatewright",
    ],
  },
  { chart: "gatewright-crds", release: "gatewright-crds", namespace: "gatewright", about: "all kinds", set: [] },
  {
    chart: "gatewright-crds",
    release: "gatewright-crds",
    namespace: "gatewright",
    about: "the kinds of routing",
    set: ["applications=false", "hostnames=false", "infra=false"],
  },
  { ...gateway, about: "our own gateway", set: [IMAGE, "fullnameOverride=edge"] },
  {
    ...gateway,
    about: "our own gateway with TLS that is scaled",
    set: [
      IMAGE,
      "listeners.https.enabled=true",
      "listeners.https.certificateSecret=default-certificate",
      "autoscaling.enabled=true",
      "service.type=LoadBalancer",
      "trustedProxies={10.0.0.0/8}",
      "settings.metrics.perRoute=true",
      "workers=2",
      "metrics.dashboards.enabled=true",
    ],
  },
  {
    ...gateway,
    about: "our own gateway, watched by the Prometheus Operator",
    set: [IMAGE, "metrics.podMonitor.enabled=true", "metrics.prometheusRule.enabled=true"],
  },
  {
    ...gateway,
    about: "Envoys",
    release: "envoys",
    set: [
      "fullnameOverride=envoys",
      "dataPlane=envoy",
      "envoy.image=registry.example/envoy:v1.40.0",
      "operator.address=gatewright.gatewright.svc:18000",
    ],
  },
];
