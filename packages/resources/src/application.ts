import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { configKeysAreFileNames, environment } from "./application/environment.ts";
import { expose, exposeRules } from "./application/expose.ts";
import { ports } from "./application/ports.ts";
import { probeRules, probes } from "./application/probes.ts";

const text = (description: string) => s.string({ description, minLength: 1, maxLength: 253 });
const words = (description: string) =>
  s.array(s.string({ maxLength: 32_768 }), { description, maxItems: 256 }).optional();
const amounts = (description: string) => s.map(s.quantity(), { description, maxProperties: 16 }).optional();
const count = (description: string) => s.integer({ description, format: "int32", minimum: 0 }).optional();

/** What a team wants to run: an image, how often, with what settings. All fields of the first showcase mean what they meant there. */
export const Application = defineResource({
  group: "cloudnative.elide.dev",
  version: "v1",
  kind: "Application",
  shortNames: ["app"],
  categories: ["all"],
  scope: "Namespaced",
  description: "An image that runs: a Deployment, or a Job, with its Service and its settings.",
  rules: [
    {
      rule: "size(self.metadata.name) <= 63 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
      message: "the name becomes that of a Service: a letter, then letters, digits and dashes, 63 at most",
    },
  ],
  spec: s.object(
    {
      replicas: s.integer({
        description: "How many pods run. With autoscaling it is not used; with runToCompletion as many must succeed.",
        format: "int32",
        minimum: 0,
        default: 1,
      }),
      image: s.string({ description: "The container image.", minLength: 1, maxLength: 1024 }),
      strategy: s.string({
        description: "RollingUpdate replaces pods a few at a time; Recreate stops all of them before new ones start.",
        enum: ["RollingUpdate", "Recreate"],
        default: "RollingUpdate",
      }),
      config: s
        .map(s.string({ maxLength: 262_144 }), {
          description:
            "Settings: an environment variable each, and a file each in configPath. A change replaces the pods.",
          maxProperties: 256,
          rules: [configKeysAreFileNames],
        })
        .optional(),
      configPath: s
        .string({
          description: "Folder in the container that has a file for each key of config. Default: /etc/config.",
          maxLength: 1024,
          pattern: "^/[^:]+$",
        })
        .optional(),
      ports,
      expose,
      ...environment,
      command: words("Replaces the image's entry point."),
      args: words("Replaces the image's arguments."),
      resources: s
        .object(
          {
            requests: amounts("What is set aside for each pod: cpu, memory."),
            limits: amounts("What each pod gets at most."),
          },
          { description: "Processor time and memory of each pod." },
        )
        .optional(),
      probes,
      autoscaling: s
        .object(
          {
            minReplicas: s.integer({ description: "Fewest pods.", format: "int32", minimum: 1, default: 1 }),
            maxReplicas: s.integer({ description: "Most pods.", format: "int32", minimum: 1 }),
            targetCPUUtilization: s.integer({
              description: "Per cent of the requested processor time that pods should use on average.",
              format: "int32",
              minimum: 1,
              default: 80,
            }),
          },
          {
            description: "Lets load decide how many pods run, by a HorizontalPodAutoscaler.",
            rules: [
              { rule: "self.minReplicas <= self.maxReplicas", message: "minReplicas must not be above maxReplicas" },
            ],
          },
        )
        .optional(),
      runToCompletion: s
        .boolean({
          description: "Runs once, as a Job, instead of all the time. A change of the spec runs it again.",
        })
        .optional(),
      serviceAccountName: text("The service account that pods run as.").optional(),
      imagePullSecrets: s
        .array(s.object({ name: text("Name of the Secret.") }), {
          description: "Secrets with the credentials of the registry.",
          maxItems: 16,
          listType: "map",
          listMapKeys: ["name"],
        })
        .optional(),
    },
    {
      rules: [
        {
          rule: "!(has(self.runToCompletion) && self.runToCompletion && has(self.autoscaling))",
          message: "what runs to completion has no autoscaling",
        },
        {
          rule: "!(has(self.runToCompletion) && self.runToCompletion && has(self.ports) && size(self.ports) > 0)",
          message: "what runs to completion has no ports",
        },
        {
          rule: "!(has(self.runToCompletion) && self.runToCompletion && has(self.probes) && has(self.probes.readiness))",
          message: "what runs to completion has no readiness probe",
        },
        ...probeRules,
        ...exposeRules,
      ],
    },
  ),
  status: s.object({
    observedGeneration: s
      .integer({ description: "The generation that this status is about.", format: "int64", minimum: 0 })
      .optional(),
    replicas: count("How many pods there are."),
    updatedReplicas: count("How many of them are of the newest spec."),
    readyReplicas: count("How many of them are ready."),
    selector: s.string({ description: "Selects the pods.", maxLength: 1024 }).optional(),
    phase: s
      .string({
        description: "Pending, Running, Failed, or Succeeded for what ran to completion.",
        enum: ["Pending", "Running", "Failed", "Succeeded"],
      })
      .optional(),
    url: s
      .string({ description: "Where it answers: at its hostname, or else inside of the cluster.", maxLength: 2048 })
      .optional(),
    conditions: s.conditions(
      "Ready: all pods of this spec are. Progressing: an update is under way. Available: enough pods answer meanwhile. Exposed: it answers at its hostname.",
    ),
  }),
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    { name: "Phase", type: "string", path: ".status.phase" },
    { name: "Ready", type: "integer", path: ".status.readyReplicas", description: "Pods that are ready." },
    { name: "Replicas", type: "integer", path: ".status.replicas", description: "Pods that there are." },
    { name: "Reason", type: "string", path: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: "Image", type: "string", path: ".spec.image", priority: 1 },
    { name: "URL", type: "string", path: ".status.url", priority: 1 },
    ageColumn,
  ],
  example: {
    apiVersion: "cloudnative.elide.dev/v1",
    kind: "Application",
    metadata: { name: "my-app", namespace: "default" },
    spec: {
      replicas: 3,
      image: "myorg/myapp:v1.0.0",
      strategy: "RollingUpdate",
      config: { key: "value" },
      ports: [{ port: 80, targetPort: 8080 }],
      envFrom: [{ secretRef: { name: "my-queue" } }],
      resources: { requests: { cpu: "100m", memory: "64Mi" } },
      probes: { readiness: { httpGet: { path: "/healthz", port: "http" } } },
    },
  },
});

/** {@inheritDoc Application} */
export type Application = ObjectOf<typeof Application>;
