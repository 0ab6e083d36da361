import type { Written } from "./memory-reader.ts";

export const NOW = Date.parse("2030-01-01T00:10:00Z");
const LONG_AGO = "2030-01-01T00:00:00Z";
const JUST_NOW = "2030-01-01T00:09:58Z";

const meta = (name: string, more: object = {}): Written["metadata"] => ({
  namespace: "shop",
  name,
  uid: `uid-${name}`,
  generation: 1,
  creationTimestamp: LONG_AGO,
  ...more,
});

export interface Told {
  readonly status?: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message?: string;
  /** Whether it is new. */
  readonly young?: boolean;
}

export const condition = (type: string, { status = "False", reason, message = "", young = false }: Told) => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: young ? JUST_NOW : LONG_AGO,
});

export const conditions = (told: Readonly<Record<string, Told>>) =>
  Object.entries(told).map(([type, each]) => condition(type, each));

export const good = (reason: string, message = ""): Told => ({ status: "True", reason, message });

const LABELS = { app: "web" };

export const pod = (name: string, status: object = readyPod, spec: object = {}): Written => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: meta(name, { labels: LABELS, ownerReferences: [{ uid: "uid-web-1", kind: "ReplicaSet", name: "web-1" }] }),
  spec: { containers: [{ name: "app", image: "web:1", ports: [{ containerPort: 8080, name: "http" }] }], ...spec },
  status,
});

export const readyPod = {
  phase: "Running",
  conditions: [{ type: "Ready", status: "True", lastTransitionTime: LONG_AGO }],
  containerStatuses: [{ name: "app", image: "web:1", ready: true, state: { running: {} } }],
};

export const waitingPod = (reason: string, message: string, lastState?: object) => ({
  phase: "Pending",
  conditions: [{ type: "Ready", status: "False", lastTransitionTime: LONG_AGO }],
  containerStatuses: [
    { name: "app", image: "web:1", ready: false, state: { waiting: { reason, message } }, lastState },
  ],
});

/** What a node left over that gave a pod up. */
export const evictedPod = {
  phase: "Failed",
  reason: "Evicted",
  message: "The node was low on resource: memory.",
  conditions: [{ type: "Ready", status: "False", lastTransitionTime: LONG_AGO }],
};

/** A pod whose init container does not come to an end. */
export const initializingPod = (state: object, lastState: object = {}) => ({
  phase: "Pending",
  conditions: [{ type: "Ready", status: "False", lastTransitionTime: LONG_AGO }],
  initContainerStatuses: [
    { name: "settle", image: "init:1", ready: true, state: { terminated: { exitCode: 0, reason: "Completed" } } },
    { name: "migrate", image: "init:1", ready: false, state, lastState },
  ],
  containerStatuses: [{ name: "app", image: "web:1", ready: false, state: { waiting: { reason: "PodInitializing" } } }],
});

export const job = (status: object): Written => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: meta("web"),
  spec: { completions: 1, selector: { matchLabels: LABELS } },
  status,
});

/** What an object has that an Application made. */
export const ofApplication = { ownerReferences: [{ uid: "uid-application", kind: "Application", name: "web" }] };

export const deployment = (replicas: number, available = replicas, more: object = {}): Written => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: meta("web", { labels: LABELS, ...more }),
  spec: { replicas, selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS } } },
  status: {
    observedGeneration: 1,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: available,
    conditions: [
      {
        type: "Available",
        status: available >= replicas ? "True" : "False",
        reason: available >= replicas ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        lastTransitionTime: LONG_AGO,
      },
    ],
  },
});

export const replicaSet = (replicas: number): Written => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: meta("web-1", { labels: LABELS, ownerReferences: [{ uid: "uid-web", kind: "Deployment", name: "web" }] }),
  spec: { replicas, selector: { matchLabels: LABELS } },
});

export const service = (port: object = {}, selector: object = LABELS): Written => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: meta("web"),
  spec: { selector, ports: [{ name: "http", port: 80, targetPort: 8080, ...port }] },
});

export const slice = (ready: number): Written => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: meta("web-abc", { labels: { "kubernetes.io/service-name": "web" } }),
  endpoints: Array.from({ length: ready }, (_, at) => ({ addresses: [`10.0.0.${at}`], conditions: { ready: true } })),
});

/** A workload whose one pod answers. */
export const workload: readonly Written[] = [deployment(1), replicaSet(1), pod("web-1-a"), service(), slice(1)];

export const application = (told: Readonly<Record<string, Told>>, spec: object = {}): Written => ({
  apiVersion: "cloudnative.elide.dev/v1",
  kind: "Application",
  metadata: meta("web"),
  spec: { image: "web:1", replicas: 1, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  status: { observedGeneration: 1, conditions: conditions(told) },
});

export const SERVING: Readonly<Record<string, Told>> = {
  Claimed: good("Claimed"),
  CertificateRequested: good("Requested"),
  DnsValidated: good("RecordsCreated"),
  CertificateIssued: good("Issued"),
  ListenerAttached: good("Attached"),
  DnsAliasReady: good("Created"),
  Ready: good("Serving"),
};

export const request = (told: Readonly<Record<string, Told>>, name = "web"): Written => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "GatewayHostnameRequest",
  metadata: meta(name),
  spec: { hostname: "shop.example.com", zoneId: "Z1" },
  status: {
    observedGeneration: 1,
    hostname: "shop.example.com",
    hostnames: ["shop.example.com"],
    assignedGateway: "gw-01",
    assignedGatewayNamespace: "edge",
    parents: [{ kind: "Gateway", namespace: "edge", name: "gw-01" }],
    conditions: conditions(told),
  },
});

export const VALIDATION = { name: "_x.shop.example.com", value: "_y.acm-validations.aws." };

export const claim = (
  owner: { namespace: string; name: string },
  told: Readonly<Record<string, Told>> = SERVING,
): Written => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "DomainClaim",
  metadata: { name: "shop.example.com", generation: 1, creationTimestamp: LONG_AGO },
  spec: { hostname: "shop.example.com", zoneId: "Z1", ownerRef: { ...owner, uid: "1" } },
  status: {
    claimedAt: LONG_AGO,
    records: [{ name: VALIDATION.name, type: "CNAME", ttl: 300, values: [VALIDATION.value], purpose: "validation" }],
    conditions: conditions(told),
  },
});

export const gateway = (
  told: Readonly<Record<string, Told>> = { Accepted: good("Accepted"), Programmed: good("Programmed") },
): Written => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: meta("gw-01", { namespace: "edge" }),
  spec: {
    gatewayClassName: "aws-alb",
    listeners: [{ name: "https", hostname: "shop.example.com", port: 443, protocol: "HTTPS" }],
  },
  status: { addresses: [{ value: "lb.example.com" }], conditions: conditions(told), listeners: [] },
});

export const httpRoute = (told: Readonly<Record<string, Told>>, spec: object = {}): Written => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: meta("web"),
  spec: {
    parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "edge", name: "gw-01" }],
    hostnames: ["shop.example.com"],
    rules: [{ backendRefs: [{ group: "", kind: "Service", name: "web", port: 80 }] }],
    ...spec,
  },
  status: { parents: [{ conditions: conditions(told) }] },
});

export const TAKEN: Readonly<Record<string, Told>> = { Accepted: good("Accepted"), ResolvedRefs: good("ResolvedRefs") };

export const grant = (hostnames: readonly string[]): Written => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "HostnameGrant",
  metadata: meta("hostnames"),
  spec: { namespace: "shop", hostnames },
});

export const apiRoute = (told: Readonly<Record<string, Told>>, spec: object = {}): Written => ({
  apiVersion: "avapigw.io/v1alpha1",
  kind: "APIRoute",
  metadata: meta("orders"),
  spec: { route: [{ destination: { host: "web", port: 80 } }], ...spec },
  status: { observedGeneration: 1, conditions: conditions(told) },
});

export const APPLIED: Readonly<Record<string, Told>> = {
  Ready: good("Applied"),
  Accepted: good("Accepted"),
  ResolvedRefs: good("Resolved"),
};

export const backend = (told: Readonly<Record<string, Told>>, ...addresses: readonly string[]): Written => ({
  apiVersion: "avapigw.io/v1alpha1",
  kind: "Backend",
  metadata: meta("orders-backend"),
  spec: { hosts: addresses.map((address) => ({ address, port: 80 })) },
  status: { observedGeneration: 1, conditions: conditions(told) },
});

/** `className`: empty for none. */
export const ingress = (annotations: Readonly<Record<string, string>>, className = "avapigw"): Written => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { ...meta("web"), annotations },
  spec: {
    ...(className !== "" && { ingressClassName: className }),
    defaultBackend: { service: { name: "web", port: { number: 80 } } },
  },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
});

export const ingressClass = (name: string, controller: string): Written => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "IngressClass",
  metadata: { name, generation: 1, creationTimestamp: LONG_AGO },
  spec: { controller },
});

/** A warning about the Ingress. */
export const ingressWarning = (message: string): Written => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: meta("web.1"),
  involvedObject: { kind: "Ingress", name: "web" },
  type: "Warning",
  reason: "IngressNotUnderstood",
  message,
  lastTimestamp: "2030-01-01T00:09:00Z",
});

export const connected = (spec: object = {}): Written => ({
  apiVersion: "avapigw.io/v1alpha1",
  kind: "ConnectedGateway",
  metadata: meta("edge.one", { namespace: "gatewright" }),
  spec: {
    gateway: { namespace: "edge", name: "one", version: "1", dialect: "gatewright", door: "stream" },
    replica: "r",
    connectedAt: LONG_AGO,
    configuration: "v",
    behind: 0,
    refused: 0,
    ...spec,
  },
});

export const queue = (told: Told, spec: object = {}, status: object = {}): Written => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "SQSQueue",
  metadata: meta("orders"),
  spec: { providerRef: { name: "aws" }, queueName: "orders", ...spec },
  status: { observedGeneration: 1, conditions: conditions({ Ready: told }), ...status },
});

export const bucket = (told: Told): Written => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "S3Bucket",
  metadata: meta("receipts"),
  spec: { providerRef: { name: "aws" }, bucketName: "receipts" },
  status: { observedGeneration: 1, conditions: conditions({ Ready: told }) },
});

/** The object while it is being deleted, and held by a controller. */
export const leaving = (object: Written, more: object = {}): Written => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: JUST_NOW, finalizers: ["example.com/operator"], ...more },
});

export const keys: Written = { apiVersion: "v1", kind: "Secret", metadata: meta("keys") };

export const provider = (told: Told, more: Readonly<Record<string, Told>> = {}): Written => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "AWSProvider",
  metadata: meta("aws"),
  spec: { region: "eu-west-1", credentialsSecret: { name: "keys" } },
  status: { observedGeneration: 1, conditions: conditions({ Ready: told, ...more }) },
});
