import {
  ageColumn,
  atMostOneOf,
  conditionColumn,
  defineResource,
  exactlyOneOf,
  immutable,
  keptOnceSet,
  needs,
  s,
} from "../index.ts";
import type { ManifestOf, ObjectOf } from "../index.ts";

/** A kind that uses every builder. */
export const Website = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Website",
  shortNames: ["ws"],
  categories: ["all-sites"],
  scope: "Namespaced",
  description: "A site that is served from an image.",
  spec: s.object(
    {
      title: s.string({ maxLength: 80, description: "Shown in the browser's tab." }),
      image: s.string({ maxLength: 500, rules: [immutable()] }),
      tier: s.string({ enum: ["small", "large"], default: "small" }),
      replicas: s.integer({ minimum: 0, maximum: 100, format: "int32", default: 1 }).optional(),
      weight: s.number({ minimum: 0, maximum: 1, exclusiveMaximum: true }).optional(),
      public: s.boolean({ default: true }),
      memory: s.quantity({ default: "64Mi" }),
      port: s.intOrString({ maxLength: 15 }).optional(),
      timeout: s
        .duration({ rules: [{ rule: "self > duration('1s')", message: "must be longer than a second" }] })
        .optional(),
      until: s.time().optional(),
      note: s.string({ maxLength: 10 }).nullable().optional(),
      tags: s.array(s.string({ maxLength: 20 }), { listType: "set", maxItems: 10 }).optional(),
      ports: s
        .array(s.object({ name: s.string({ maxLength: 15 }), port: s.integer({ rules: [immutable()] }) }), {
          listType: "map",
          listMapKeys: ["name"],
          maxItems: 5,
        })
        .optional(),
      labels: s.map(s.string({ maxLength: 63 }), { maxProperties: 10, default: { made: "here" } }),
      cache: s.object({ seconds: s.integer({ default: 60 }) }, { default: {} }),
      selector: s.labelSelector().optional(),
      template: s.embeddedMetadata().optional(),
      page: s.string({ maxLength: 100 }).optional(),
      source: s.localReference().optional(),
      password: s.secretKeyRef().optional(),
      target: s.objectReference().optional(),
      namespace: s.string({ maxLength: 63 }).optional(),
      extra: s.anyObject().optional(),
      anything: s.any().optional(),
    },
    {
      rules: [
        exactlyOneOf("page", "source"),
        atMostOneOf("until", "timeout"),
        needs("namespace", "target"),
        keptOnceSet("page"),
      ],
    },
  ),
  status: s.object({
    replicas: s.integer().optional(),
    selector: s.string({ maxLength: 1000 }).optional(),
    conditions: s.conditions(),
  }),
  rules: [{ rule: "size(self.metadata.name) <= 63", message: "the name must fit into a label" }],
  columns: [
    { name: "Title", type: "string", path: ".spec.title", description: "The title." },
    conditionColumn("Ready"),
    { name: "Image", type: "string", path: ".spec.image", priority: 1 },
    ageColumn,
  ],
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  selectableFields: [".spec.tier"],
  versions: [
    {
      version: "v1beta1",
      deprecated: "example.com/v1beta1 Website is deprecated; use v1",
      spec: s.object({ title: s.string().optional() }, { preserveUnknown: true }),
      status: s.object({ conditions: s.conditions() }, { preserveUnknown: true }),
    },
  ],
  example: {
    apiVersion: "example.com/v1",
    kind: "Website",
    metadata: { name: "shop", namespace: "default" },
    spec: { title: "Shop", image: "shop:1", page: "index.html" },
  },
});

export type Website = ObjectOf<typeof Website>;
export type WebsiteManifest = ManifestOf<typeof Website>;
