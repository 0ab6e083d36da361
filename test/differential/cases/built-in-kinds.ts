import type { Topic } from "../case.ts";
import { create, created, inNamespace, mergePatch, read, remove, replace } from "../steps.ts";

const services = inNamespace("v1", "services");
const secrets = inNamespace("v1", "secrets");
const deployments = inNamespace("apps/v1", "deployments");
const jobs = inNamespace("batch/v1", "jobs");
const ingresses = inNamespace("networking.k8s.io/v1", "ingresses");
const container = (more: object = {}): object => ({ name: "c", image: "nginx", ...more });
const service = (spec: object): object => ({
  metadata: { name: "s" },
  spec: { clusterIP: "None", ports: [{ port: 80 }], ...spec },
});
const named = (name: string, spec: object): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const onPort = (name: string, nodePort: number): object =>
  named(name, { type: "NodePort", clusterIP: `10.0.5.${name === "a" ? 78 : 79}`, ports: [{ port: 80, nodePort }] });
const selector = { matchLabels: { a: "x" } };
const template = { metadata: { labels: { a: "x" } }, spec: { containers: [container()] } };
const deployment = (spec: object = {}): object => ({ metadata: { name: "d" }, spec: { selector, template, ...spec } });
const job = (spec: object): object => ({
  metadata: { name: "j" },
  spec: { template: { spec: { restartPolicy: "Never", containers: [container()] } }, ...spec },
});
const backend = { service: { name: "s", port: { number: 80 } } };
const ingress = (paths: readonly object[], more: object = {}): object => ({
  metadata: { name: "i" },
  spec: { rules: [{ host: "a.example.com", http: { paths } }], ...more },
});

export const topic: Topic = {
  cases: [
    ...created(services, {
      "service: headless": service({}),
      "service: no ports": service({ ports: [] }),
      "service: no spec": { metadata: { name: "s" } },
      "service: an external name": service({
        type: "ExternalName",
        externalName: "example.com",
        clusterIP: undefined,
        ports: undefined,
      }),
      "service: an external name that is not valid": service({
        type: "ExternalName",
        externalName: "ex ample",
        clusterIP: undefined,
      }),
      "service: ports without names": service({ ports: [{ port: 80 }, { port: 81 }] }),
      "service: a port twice": service({
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      }),
      "service: a port out of range": service({ ports: [{ port: 0 }, { port: 65536, name: "x" }] }),
      "service: a target by name": service({ ports: [{ port: 80, targetPort: "http" }] }),
      "service: a target name that is not valid": service({ ports: [{ port: 80, targetPort: "HTTP_" }] }),
      "service: a type that is none": service({ type: "Magic" }),
      "service: an address that is none": service({ clusterIP: "10.0" }),
      "service: an address outside of the range": service({ clusterIP: "192.168.1.1" }),
      "service: a node port out of range": service({
        type: "NodePort",
        clusterIP: undefined,
        ports: [{ port: 80, nodePort: 1 }],
      }),
      "service: a session": service({ sessionAffinity: "ClientIP" }),
      "service: a session that is none": service({ sessionAffinity: "Cookie" }),
      "service: a selector that is not valid": service({ selector: { "-": "!" } }),
      "service: a traffic policy that is none": service({ internalTrafficPolicy: "Far" }),
      "service: a name that starts with a digit": {
        metadata: { name: "1s" },
        spec: { clusterIP: "None", ports: [{ port: 80 }] },
      },
    }),
    ...created(secrets, {
      "secret: stringData": { metadata: { name: "x" }, stringData: { a: "b" } },
      "secret: stringData wins": { metadata: { name: "x" }, stringData: { a: "b" }, data: { a: "eA==" } },
      "secret: no base64": { metadata: { name: "x" }, data: { a: "!!" } },
      "secret: TLS": { metadata: { name: "x" }, type: "kubernetes.io/tls", data: {} },
      "secret: docker": {
        metadata: { name: "x" },
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "no" },
      },
      "secret: basic": { metadata: { name: "x" }, type: "kubernetes.io/basic-auth" },
      "secret: a service account's without one": {
        metadata: { name: "x" },
        type: "kubernetes.io/service-account-token",
      },
    }),
    ...created(deployments, {
      "deployment: defaults": deployment(),
      "deployment: replicas below 0": deployment({ replicas: -1 }),
      "deployment: replicas as text": deployment({ replicas: "x" }),
      "deployment: no spec": { metadata: { name: "d" } },
      "deployment: a selector that does not match": deployment({ selector: { matchLabels: { b: "c" } } }),
      "deployment: an empty selector": deployment({ selector: {} }),
      "deployment: a strategy that is none": deployment({ strategy: { type: "Slow" } }),
      "deployment: a strategy with a part that does not fit": deployment({
        strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
      }),
      "deployment: nothing may be unavailable": deployment({
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      }),
      "deployment: percentages": deployment({
        strategy: { rollingUpdate: { maxSurge: "10%", maxUnavailable: "abc" } },
      }),
      "deployment: a restart policy that does not fit": deployment({
        template: { ...template, spec: { restartPolicy: "Never", containers: [container()] } },
      }),
      "deployment: a deadline before it is ready": deployment({ minReadySeconds: 600, progressDeadlineSeconds: 10 }),
    }),
    ...created(jobs, {
      "job: defaults": job({}),
      "job: a restart policy that does not fit": job({ template: { spec: { containers: [container()] } } }),
      "job: completions below 0": job({ completions: -1, parallelism: -1 }),
      "job: indexed without completions": job({ completionMode: "Indexed" }),
      "job: a selector": job({ selector: { matchLabels: { a: "b" } } }),
      "job: a back-off below 0": job({ backoffLimit: -1 }),
    }),
    ...created(inNamespace("batch/v1", "cronjobs"), {
      "cron job: defaults": {
        metadata: { name: "c" },
        spec: {
          schedule: "*/5 * * * *",
          jobTemplate: { spec: { template: { spec: { restartPolicy: "OnFailure", containers: [container()] } } } },
        },
      },
      "cron job: a schedule that is none": {
        metadata: { name: "c" },
        spec: {
          schedule: "often",
          timeZone: "Mars/Base",
          jobTemplate: { spec: { template: { spec: { restartPolicy: "OnFailure", containers: [container()] } } } },
        },
      },
    }),
    ...created(ingresses, {
      "ingress: a path": ingress([{ path: "/", pathType: "Prefix", backend }]),
      "ingress: no path type": ingress([{ path: "/", backend }]),
      "ingress: a path that is not absolute": ingress([{ path: "x", pathType: "Exact", backend }]),
      "ingress: a host with a port": { metadata: { name: "i" }, spec: { rules: [{ host: "a.example.com:80" }] } },
      "ingress: a wildcard": {
        metadata: { name: "i" },
        spec: {
          rules: [{ host: "*.example.com", http: { paths: [{ pathType: "ImplementationSpecific", backend }] } }],
        },
      },
      "ingress: no backend": ingress([{ path: "/", pathType: "Prefix", backend: {} }]),
      "ingress: nothing": { metadata: { name: "i" }, spec: {} },
      "ingress: an old annotation": {
        metadata: { name: "i", annotations: { "kubernetes.io/ingress.class": "x" } },
        spec: { defaultBackend: backend },
      },
    }),
    ...created(inNamespace("apps/v1", "statefulsets"), {
      "stateful set: defaults": { metadata: { name: "s" }, spec: { selector, serviceName: "s", template } },
      "stateful set: not valid": {
        metadata: { name: "s" },
        spec: { selector, template, podManagementPolicy: "X", updateStrategy: { type: "Y" } },
      },
    }),
    ...created(inNamespace("apps/v1", "daemonsets"), {
      "daemon set: defaults": { metadata: { name: "d" }, spec: { selector, template } },
      "daemon set: not valid": {
        metadata: { name: "d" },
        spec: { selector: {}, template, updateStrategy: { type: "Y" } },
      },
    }),
    ...created(inNamespace("autoscaling/v2", "horizontalpodautoscalers"), {
      "autoscaler: defaults": {
        metadata: { name: "h" },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
      },
      "autoscaler: not valid": {
        metadata: { name: "h" },
        spec: { minReplicas: 5, maxReplicas: 3, scaleTargetRef: {} },
      },
    }),
    ...created(inNamespace("policy/v1", "poddisruptionbudgets"), {
      "disruption budget: defaults": { metadata: { name: "b" }, spec: { selector } },
      "disruption budget: both": { metadata: { name: "b" }, spec: { selector, minAvailable: 1, maxUnavailable: "x" } },
    }),
    ...created(inNamespace("networking.k8s.io/v1", "networkpolicies"), {
      "network policy: defaults": { metadata: { name: "n" }, spec: { podSelector: {}, egress: [{}] } },
      "network policy: not valid": {
        metadata: { name: "n" },
        spec: {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "x" }, podSelector: {} }] }],
          policyTypes: ["Sideways"],
        },
      },
    }),
    ...created(inNamespace("v1", "persistentvolumeclaims"), {
      "claim: defaults": {
        metadata: { name: "c" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
      "claim: not valid": { metadata: { name: "c" }, spec: { accessModes: [], resources: {} } },
    }),
    ...created(inNamespace("coordination.k8s.io/v1", "leases"), {
      lease: {
        metadata: { name: "l" },
        spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" },
      },
      "lease: not valid": { metadata: { name: "l" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    }),
    ...created(inNamespace("v1", "limitranges"), {
      "limit range: not valid": {
        metadata: { name: "l" },
        spec: { limits: [{ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }] },
      },
    }),
    ...created(inNamespace("v1", "resourcequotas"), {
      "quota: not valid": { metadata: { name: "q" }, spec: { hard: { nonsense: "1" }, scopes: ["X"] } },
    }),
    ...created(inNamespace("v1", "serviceaccounts"), {
      "service account": { metadata: { name: "sa" }, automountServiceAccountToken: false },
    }),
    ...created("/api/v1/namespaces", {
      "namespace: a name that is not valid": { metadata: { name: "Bad_Name" } },
      "namespace: a name that is too long": { metadata: { name: "n".repeat(64) } },
      "namespace: defaults": { metadata: { name: "made-{{ns}}" } },
    }),
    ...created("/api/v1/nodes", { node: { metadata: { name: "node-{{ns}}" }, spec: { podCIDR: "10.1.0.0/24" } } }),
    ...created("/apis/scheduling.k8s.io/v1/priorityclasses", {
      "priority class: too high": { metadata: { name: "{{ns}}" }, value: 2_000_000_000 },
    }),
    ...created("/apis/storage.k8s.io/v1/storageclasses", {
      "storage class: defaults": { metadata: { name: "{{ns}}" }, provisioner: "example.com/p" },
      "storage class: not valid": { metadata: { name: "{{ns}}" }, reclaimPolicy: "X" },
    }),
    {
      name: "deployment: its scale",
      steps: [
        create(deployments, deployment(), { quiet: true }),
        read(`${deployments}/d/scale`),
        mergePatch(`${deployments}/d/scale`, { spec: { replicas: 0 } }),
        replace(`${deployments}/d/scale`, { metadata: { name: "d" }, spec: { replicas: -1 } }),
        read(`${deployments}/d`),
      ],
    },
    {
      name: "deployment: the selector cannot be changed",
      steps: [
        create(deployments, deployment(), { quiet: true }),
        mergePatch(`${deployments}/d`, {
          spec: { selector: { matchLabels: { b: "c" } }, template: { metadata: { labels: { b: "c" } } } },
        }),
      ],
    },
    {
      name: "deployment: generation",
      steps: [
        create(deployments, deployment(), { quiet: true }),
        mergePatch(`${deployments}/d`, { metadata: { labels: { a: "b" } } }),
        mergePatch(`${deployments}/d`, { spec: { replicas: 3 } }),
        mergePatch(`${deployments}/d/status`, { status: { replicas: 3 } }),
      ],
    },
    {
      name: "service: the address cannot be changed",
      steps: [
        create(services, service({}), { quiet: true }),
        mergePatch(`${services}/s`, { spec: { clusterIP: "10.0.5.5" } }),
      ],
    },
    {
      name: "service: an address that is taken",
      steps: [
        create(services, named("a", { clusterIP: "10.0.5.77" }), { quiet: true }),
        create(services, named("b", { clusterIP: "10.0.5.77" })),
        create(`${services}?dryRun=All`, named("b", { clusterIP: "10.0.5.77" })),
      ],
    },
    {
      name: "service: a node port that is taken",
      steps: [
        create(services, onPort("a", 30777), { quiet: true }),
        create(services, onPort("b", 30777)),
        create(`${services}?dryRun=All`, onPort("b", 30777)),
      ],
    },
    {
      name: "secret: the type cannot be changed",
      steps: [
        create(secrets, { metadata: { name: "x" } }, { quiet: true }),
        mergePatch(`${secrets}/x`, { type: "other" }),
      ],
    },
    {
      name: "secret: immutable",
      steps: [
        create(secrets, { metadata: { name: "x" }, immutable: true, stringData: { a: "b" } }, { quiet: true }),
        mergePatch(`${secrets}/x`, { stringData: { a: "c" } }),
        mergePatch(`${secrets}/x`, { immutable: false }),
      ],
    },
    {
      name: "job: the template cannot be changed",
      steps: [
        create(jobs, job({}), { quiet: true }),
        mergePatch(`${jobs}/j`, { spec: { completions: 5 } }),
        mergePatch(`${jobs}/j`, { spec: { suspend: true } }),
      ],
    },
    {
      name: "quota: is counted",
      steps: [
        create(
          inNamespace("v1", "resourcequotas"),
          { metadata: { name: "q" }, spec: { hard: { "count/secrets": "1" } } },
          { quiet: true },
        ),
        read(`${inNamespace("v1", "resourcequotas")}/q`, { until: { at: "status.used" } }),
        // The real server may not have heard of the quota yet: what it lets through then is not counted.
        create(secrets, { metadata: { generateName: "s-" } }, { until: { status: 403 } }),
        read(`${inNamespace("v1", "resourcequotas")}/q`, { until: { at: "status.used.count/secrets", is: "1" } }),
      ],
    },
    {
      name: "namespace: its finalizers",
      steps: [
        create("/api/v1/namespaces", { metadata: { name: "own-{{ns}}" }, spec: { finalizers: ["example.com/mine"] } }),
        replace("/api/v1/namespaces/own-{{ns}}/finalize", {
          metadata: { name: "own-{{ns}}" },
          spec: { finalizers: ["kubernetes"] },
        }),
        remove("/api/v1/namespaces/own-{{ns}}"),
      ],
    },
    {
      name: "an event",
      steps: [
        create(inNamespace("v1", "events"), {
          metadata: { name: "e" },
          involvedObject: { kind: "Pod", namespace: "{{ns}}", name: "p" },
          reason: "R",
          message: "m",
          type: "Normal",
        }),
        read(`${inNamespace("events.k8s.io/v1", "events")}/e`),
        create(inNamespace("v1", "events"), {
          metadata: { name: "f" },
          involvedObject: { kind: "Pod", namespace: "other", name: "p" },
        }),
      ],
    },
  ],
};
