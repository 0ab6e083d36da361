import type { Topic } from "../case.ts";
import { create, created, inNamespace, mergePatch, read } from "../steps.ts";

const pods = inNamespace("v1", "pods");
const container = (more: object = {}): object => ({ name: "c", image: "nginx", ...more });
const pod = (spec: object = {}, metadata: object = {}): object => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [container()], ...spec },
});
const withContainer = (more: object): object => pod({ containers: [container(more)] });
const selector = { matchLabels: { a: "x" } };

export const topic: Topic = {
  cases: [
    ...created(pods, {
      defaults: pod(),
      "latest is pulled always": withContainer({ image: "nginx:latest" }),
      "a digest": withContainer({
        image: "nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000",
      }),
      "no containers": pod({ containers: [] }),
      "no image": pod({ containers: [{ name: "c" }] }),
      "a name twice": pod({ containers: [container(), container()] }),
      "a name that is not valid": pod({ containers: [container({ name: "C_" })] }),
      ports: withContainer({
        ports: [{ containerPort: 80, name: "http" }, { containerPort: 0 }, { containerPort: 70000, protocol: "X" }],
      }),
      resources: withContainer({
        resources: { requests: { cpu: "2", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } },
      }),
      "limits become requests": withContainer({ resources: { limits: { cpu: "500m", memory: "64Mi" } } }),
      "a quantity that is none": withContainer({ resources: { limits: { cpu: "lots" } } }),
      probes: withContainer({
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { tcpSocket: { port: "http" } },
        startupProbe: { exec: { command: ["x"] } },
      }),
      "a probe without an action": withContainer({ livenessProbe: {} }),
      environment: withContainer({
        env: [
          { name: "A", value: "1" },
          { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "C", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        ],
      }),
      "environment that is not valid": withContainer({
        env: [{ name: "" }, { name: "A", value: "1", valueFrom: { fieldRef: { fieldPath: "x" } } }],
      }),
      volumes: pod({
        volumes: [
          { name: "a", configMap: { name: "x" } },
          { name: "b", secret: { secretName: "y" } },
          { name: "c", emptyDir: {} },
        ],
        containers: [container({ volumeMounts: [{ name: "a", mountPath: "/a" }] })],
      }),
      "a volume that is not there": withContainer({ volumeMounts: [{ name: "a", mountPath: "/a" }] }),
      "a volume with two sources": pod({ volumes: [{ name: "a", configMap: { name: "x" }, emptyDir: {} }] }),
      "a restart policy that is none": pod({ restartPolicy: "Sometimes" }),
      "a DNS policy that is none": pod({ dnsPolicy: "Magic" }),
      tolerations: pod({
        tolerations: [
          { operator: "Exists", value: "x" },
          { key: "a", operator: "Equal", effect: "Never" },
        ],
      }),
      affinity: pod({
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector }] },
        },
      }),
      spread: pod({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "X" }] }),
      security: pod({ securityContext: { runAsUser: -1, fsGroup: 1 }, hostNetwork: true }),
      "init containers": pod({
        initContainers: [
          { name: "i", image: "x", restartPolicy: "Always" },
          { name: "c", image: "x" },
        ],
      }),
      "a priority class that is not there": pod({ priorityClassName: "nope" }),
      "a system priority class": pod({ priorityClassName: "system-cluster-critical" }),
      "a service account that is not there": pod({ serviceAccountName: "nope" }),
      "no token": pod({ automountServiceAccountToken: false }),
      "a grace period below 0": pod({ terminationGracePeriodSeconds: -1 }),
      "no spec": { metadata: { name: "p" } },
      "a string for containers": { metadata: { name: "p" }, spec: { containers: "x" } },
      "annotations that are old": pod({}, { annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "" } }),
    }),
    {
      name: "what cannot be changed",
      steps: [
        create(pods, pod(), { quiet: true }),
        mergePatch(`${pods}/p`, { spec: { restartPolicy: "Never" } }),
        mergePatch(`${pods}/p`, { spec: { containers: [container({ image: "nginx:2" })] } }),
      ],
    },
    {
      name: "its status",
      steps: [
        create(pods, pod(), { quiet: true }),
        mergePatch(`${pods}/p/status`, { status: { phase: "Running", podIP: "10.1.1.1" }, spec: { nodeName: "x" } }),
        read(`${pods}/p`),
      ],
    },
    {
      name: "is bound",
      steps: [
        create(pods, pod(), { quiet: true }),
        create(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }),
        read(`${pods}/p`),
        create(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "m" } }),
      ],
    },
    {
      name: "is evicted",
      steps: [
        create(pods, pod(), { quiet: true }),
        create(`${pods}/p/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } }),
        read(`${pods}/p`),
      ],
    },
    {
      name: "by their phase",
      steps: [
        create(pods, pod(), { quiet: true }),
        read(`${pods}?fieldSelector=status.phase=Pending`),
        read(`${pods}?fieldSelector=spec.nodeName=x`),
        read(`${pods}?fieldSelector=spec.nope=x`),
      ],
    },
    {
      name: "defaults by a limit range",
      steps: [
        create(
          inNamespace("v1", "limitranges"),
          {
            metadata: { name: "l" },
            spec: {
              limits: [
                { type: "Container", default: { cpu: "500m" }, defaultRequest: { cpu: "100m" }, max: { cpu: "1" } },
              ],
            },
          },
          { quiet: true },
        ),
        create(`${pods}?dryRun=All`, pod(), { until: { at: "spec.containers.0.resources.limits" } }),
        create(pods, withContainer({ resources: { limits: { cpu: "2" } } })),
      ],
    },
  ],
};
