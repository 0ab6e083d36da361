import type { Case, Step, Topic } from "../case.ts";
import { TABLE, create, inNamespace, read } from "../steps.ts";

const pod = {
  metadata: { labels: { a: "x" } },
  spec: {
    containers: [
      { name: "c", image: "nginx" },
      { name: "d", image: "envoy" },
    ],
  },
};
const jobPod = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { a: "x" } };
const row = (groupVersion: string, resource: string, more: object, until?: Step["until"]): Case => {
  const path = inNamespace(groupVersion, resource);
  return {
    name: resource,
    steps: [
      create(path, { metadata: { name: "n" }, ...more }, { quiet: true }),
      read(`${path}/n`, { accept: TABLE, ...(until && { until }) }),
    ],
  };
};
const clusterRow = (groupVersion: string, resource: string, more: object): Case => {
  const path = `${groupVersion === "v1" ? "/api" : "/apis"}/${groupVersion}/${resource}`;
  return {
    name: resource,
    steps: [
      create(path, { metadata: { name: "{{ns}}" }, ...more }, { quiet: true }),
      ...(groupVersion.startsWith("admission") && resource.endsWith("policies")
        ? [read(`${path}/{{ns}}`, { until: { at: "status.observedGeneration" }, quiet: true })]
        : []),
      read(`${path}/{{ns}}`, { accept: TABLE }),
    ],
  };
};
const webhook = {
  name: "a.example.com",
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  clientConfig: { url: "https://127.0.0.1:1/x" },
};

export const topic: Topic = {
  cases: [
    row("v1", "pods", { spec: pod.spec }),
    row("v1", "secrets", { stringData: { a: "b" } }),
    row("v1", "serviceaccounts", {}),
    row("v1", "services", {
      spec: {
        clusterIP: "None",
        selector: { a: "x" },
        ports: [{ port: 80 }, { port: 53, protocol: "UDP", name: "dns" }].map((port, index) => ({
          name: `p${index}`,
          ...port,
        })),
      },
    }),
    row("v1", "endpoints", { subsets: [{ addresses: [{ ip: "10.1.1.1" }], ports: [{ port: 80 }] }] }),
    row("v1", "limitranges", { spec: { limits: [{ type: "Container", default: { cpu: "1" } }] } }),
    row(
      "v1",
      "resourcequotas",
      { spec: { hard: { pods: "5", "limits.cpu": "2" } } },
      { at: "rows.0.cells.1", is: "pods: 0/5" },
    ),
    row("v1", "persistentvolumeclaims", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    row("v1", "replicationcontrollers", { spec: { selector: { a: "x" }, template: pod } }),
    row("v1", "podtemplates", { template: pod }),
    row("apps/v1", "deployments", { spec: { selector, template: pod } }),
    row("apps/v1", "replicasets", { spec: { selector, template: pod } }),
    row("apps/v1", "statefulsets", { spec: { selector, serviceName: "s", template: pod } }),
    row("apps/v1", "daemonsets", { spec: { selector, template: pod } }),
    row("apps/v1", "controllerrevisions", { revision: 3, data: {} }),
    row("batch/v1", "jobs", { spec: { template: jobPod } }),
    row("batch/v1", "cronjobs", { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: jobPod } } } }),
    row("autoscaling/v2", "horizontalpodautoscalers", {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
    }),
    row("networking.k8s.io/v1", "ingresses", {
      spec: {
        ingressClassName: "c",
        tls: [{ hosts: ["a.example.com"] }],
        rules: [
          {
            host: "a.example.com",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
    row("networking.k8s.io/v1", "networkpolicies", { spec: { podSelector: selector } }),
    row("policy/v1", "poddisruptionbudgets", { spec: { minAvailable: 1, selector } }),
    row("coordination.k8s.io/v1", "leases", { spec: { holderIdentity: "me" } }),
    row("discovery.k8s.io/v1", "endpointslices", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.1.1"] }],
      ports: [{ name: "", port: 80 }],
    }),
    row("rbac.authorization.k8s.io/v1", "roles", { rules: [] }),
    row("rbac.authorization.k8s.io/v1", "rolebindings", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s", namespace: "{{ns}}" }],
    }),
    row("v1", "events", {
      involvedObject: { kind: "Pod", namespace: "{{ns}}", name: "p" },
      reason: "Because",
      message: "it happened",
      type: "Normal",
      count: 2,
    }),
    clusterRow("v1", "namespaces", {}),
    clusterRow("v1", "nodes", {}),
    clusterRow("v1", "persistentvolumes", {
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
    clusterRow("storage.k8s.io/v1", "storageclasses", { provisioner: "example.com/p" }),
    clusterRow("scheduling.k8s.io/v1", "priorityclasses", { value: 10 }),
    clusterRow("networking.k8s.io/v1", "ingressclasses", { spec: { controller: "example.com/c" } }),
    clusterRow("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", { webhooks: [webhook] }),
    clusterRow("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", { webhooks: [webhook] }),
    clusterRow("admissionregistration.k8s.io/v1", "validatingadmissionpolicies", {
      spec: {
        validations: [{ expression: "true" }],
        matchConstraints: {
          resourceRules: [{ apiGroups: ["x"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["y"] }],
        },
      },
    }),
    clusterRow("admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings", {
      spec: { policyName: "p", validationActions: ["Deny"] },
    }),
  ],
};
