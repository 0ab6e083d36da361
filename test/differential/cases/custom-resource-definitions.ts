import type { Case, Step, Topic } from "../case.ts";
import { TABLE, apply, create, mergePatch, read, remove } from "../steps.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const object = { type: "object" };
const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: object },
  ...more,
});
const crd = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.{{group}}", ...metadata },
  spec: {
    group: "{{group}}",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [version("v1")],
    ...spec,
  },
});
const withSchema = (schema: unknown): object =>
  crd({ versions: [version("v1", { schema: { openAPIV3Schema: schema } })] });
const spec = (schema: unknown): object => withSchema({ type: "object", properties: { spec: schema } });
const refused = (name: string, body: object): Case => ({ name, steps: [create(CRDS, body)] });
const at = `${CRDS}/things.{{group}}`;
const established: Step = read(at, { until: { at: "status.conditions.1.status", is: "True" } });
const things = "/apis/{{group}}/v1/namespaces/{{ns}}/things";
const served: Step = read(things, { until: { status: 200 }, quiet: true });
const thing = (name: string, more: object = {}): object => ({
  apiVersion: "{{group}}/v1",
  kind: "Thing",
  metadata: { name },
  ...more,
});

export const topic: Topic = {
  cases: [
    {
      name: "is established",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        served,
        create(things, thing("a")),
        read("/apis/{{group}}/v1", { until: { at: "resources.0" } }),
        read("/apis/{{group}}", { until: { status: 200 } }),
      ],
    },
    { name: "as a Table", steps: [create(CRDS, crd(), { quiet: true }), established, read(at, { accept: TABLE })] },
    refused("without a name", crd({}, { name: undefined })),
    refused("a name that does not fit", crd({}, { name: "other.{{group}}" })),
    refused("without versions", crd({ versions: [] })),
    refused("without a group", crd({ group: "" })),
    refused("without names", crd({ names: {} })),
    refused("a scope that is none", crd({ scope: "Galaxy" })),
    refused("a kind that is not valid", crd({ names: { plural: "things", kind: "thing s" } })),
    refused(
      "names with capitals",
      crd({ names: { plural: "things", kind: "Thing", singular: "Thing", shortNames: ["T"], categories: ["All"] } }),
    ),
    refused("two versions that are stored", crd({ versions: [version("v1"), version("v2")] })),
    refused("no version that is stored", crd({ versions: [version("v1", { storage: false })] })),
    refused("the same version twice", crd({ versions: [version("v1"), version("v1", { storage: false })] })),
    refused("a version that is not valid", crd({ versions: [version("V1")] })),
    refused("without a schema", crd({ versions: [{ name: "v1", served: true, storage: true }] })),
    refused("a schema that is no object", withSchema({ type: "string" })),
    refused("a schema without a type", withSchema({ properties: {} })),
    refused("a field without a type", spec({})),
    refused("an unknown type", spec({ type: "text" })),
    refused("an array without items", spec({ type: "array" })),
    refused("items as a list", spec({ type: "array", items: [{ type: "string" }] })),
    refused(
      "properties and additionalProperties",
      spec({ type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "string" } }),
    ),
    refused("additionalProperties false", spec({ type: "object", additionalProperties: false })),
    refused("uniqueItems", spec({ type: "array", uniqueItems: true, items: { type: "string" } })),
    refused("a reference", spec({ $ref: "#/x" })),
    refused(
      "a list map without keys",
      spec({ type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } }),
    ),
    refused(
      "a list map whose key is optional",
      spec({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a"],
        items: { type: "object", properties: { a: { type: "string" } } },
      }),
    ),
    refused("a set of objects", spec({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } })),
    refused(
      "a list type that is none",
      spec({ type: "array", "x-kubernetes-list-type": "bag", items: { type: "string" } }),
    ),
    refused("a default of another type", spec({ type: "string", default: 1 })),
    refused("a default with unknown fields", spec({ type: "object", default: { a: 1 }, properties: {} })),
    refused("a regex that does not compile", spec({ type: "string", pattern: "(" })),
    refused("a value type in anyOf", spec({ type: "object", anyOf: [{ properties: { a: { type: "string" } } }] })),
    refused(
      "metadata with more than name rules",
      withSchema({
        type: "object",
        properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
      }),
    ),
    refused("a rule that does not parse", spec({ type: "string", "x-kubernetes-validations": [{ rule: "self ==" }] })),
    refused(
      "a rule that does not type-check",
      spec({ type: "string", "x-kubernetes-validations": [{ rule: "self + 1 == 2" }] }),
    ),
    refused("a rule of another result", spec({ type: "string", "x-kubernetes-validations": [{ rule: "self" }] })),
    refused(
      "a rule on an unknown field",
      spec({ type: "object", properties: {}, "x-kubernetes-validations": [{ rule: "self.nope == 1" }] }),
    ),
    refused("an empty rule", spec({ type: "string", "x-kubernetes-validations": [{ rule: " " }] })),
    refused(
      "a rule that costs too much",
      spec({
        type: "array",
        items: { type: "array", items: { type: "string" } },
        "x-kubernetes-validations": [{ rule: "self.all(x, x.all(y, y.contains('a')))" }],
      }),
    ),
    refused(
      "a message with a line break",
      spec({ type: "string", "x-kubernetes-validations": [{ rule: "true", message: "a\nb" }] }),
    ),
    refused(
      "a message expression that is no string",
      spec({ type: "string", "x-kubernetes-validations": [{ rule: "true", messageExpression: "1" }] }),
    ),
    refused(
      "a reason that is none",
      spec({ type: "string", "x-kubernetes-validations": [{ rule: "true", reason: "Because" }] }),
    ),
    refused(
      "a path that does not fit",
      spec({ type: "object", properties: {}, "x-kubernetes-validations": [{ rule: "true", fieldPath: ".nope" }] }),
    ),
    refused(
      "a column without a path",
      crd({ versions: [version("v1", { additionalPrinterColumns: [{ name: "A", type: "string" }] })] }),
    ),
    refused(
      "a column of an unknown type",
      crd({ versions: [version("v1", { additionalPrinterColumns: [{ name: "A", type: "text", jsonPath: ".a" }] })] }),
    ),
    refused(
      "a column whose path does not parse",
      crd({ versions: [version("v1", { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "a[" }] })] }),
    ),
    refused("a scale without paths", crd({ versions: [version("v1", { subresources: { scale: {} } })] })),
    refused(
      "a scale whose paths are elsewhere",
      crd({
        versions: [
          version("v1", { subresources: { scale: { specReplicasPath: ".status.a", statusReplicasPath: ".spec.b" } } }),
        ],
      }),
    ),
    refused(
      "a field to select that is not there",
      crd({ versions: [version("v1", { selectableFields: [{ jsonPath: ".spec.nope" }] })] }),
    ),
    refused("a webhook conversion without a webhook", crd({ conversion: { strategy: "Webhook" } })),
    refused("a conversion that is none", crd({ conversion: { strategy: "Magic" } })),
    refused("preserveUnknownFields", crd({ preserveUnknownFields: true })),
    refused("an unknown field", crd({ unknown: 1 })),
    refused("a group of Kubernetes without approval", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.{{ns}}.k8s.io" },
      spec: {
        group: "{{ns}}.k8s.io",
        scope: "Cluster",
        names: { plural: "things", kind: "Thing" },
        versions: [version("v1")],
      },
    }),
    {
      name: "names that are taken",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        create(
          CRDS,
          { ...crd({ names: { plural: "others", kind: "Thing" } }), metadata: { name: "others.{{group}}" } },
          { quiet: true },
        ),
        read(`${CRDS}/others.{{group}}`, { until: { at: "status.conditions.0.status" } }),
      ],
    },
    {
      name: "the scope cannot be changed",
      steps: [create(CRDS, crd(), { quiet: true }), established, mergePatch(at, { spec: { scope: "Cluster" } })],
    },
    {
      name: "the kind cannot be changed",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        mergePatch(at, { spec: { names: { kind: "Other" } } }),
      ],
    },
    {
      name: "the group cannot be changed",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        mergePatch(at, { spec: { group: "other.example.com" } }),
      ],
    },
    {
      name: "a stored version cannot be removed",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        mergePatch(at, { spec: { versions: [version("v2")] } }),
      ],
    },
    {
      name: "a second version is served",
      steps: [
        create(CRDS, crd({ versions: [version("v1"), version("v2", { storage: false })] }), { quiet: true }),
        established,
        served,
        create(things, thing("a")),
        read("/apis/{{group}}/v2/namespaces/{{ns}}/things/a", { until: { status: 200 } }),
        read("/apis/{{group}}", { until: { at: "versions.1" } }),
      ],
    },
    {
      name: "a version that is not served",
      steps: [
        create(CRDS, crd({ versions: [version("v1"), version("v2", { storage: false, served: false })] }), {
          quiet: true,
        }),
        established,
        served,
        read("/apis/{{group}}/v2/namespaces/{{ns}}/things"),
      ],
    },
    {
      name: "a deprecated version warns",
      steps: [
        create(CRDS, crd({ versions: [version("v1", { deprecated: true })] }), { quiet: true }),
        established,
        served,
        create(things, thing("a")),
      ],
    },
    {
      name: "a deprecated version warns in its own words",
      steps: [
        create(CRDS, crd({ versions: [version("v1", { deprecated: true, deprecationWarning: "use v2" })] }), {
          quiet: true,
        }),
        established,
        served,
        read(things),
      ],
    },
    {
      name: "a cluster-scoped resource",
      steps: [
        create(CRDS, crd({ scope: "Cluster" }), { quiet: true }),
        established,
        read("/apis/{{group}}/v1/things", { until: { status: 200 }, quiet: true }),
        create("/apis/{{group}}/v1/things", thing("a")),
        create("/apis/{{group}}/v1/namespaces/default/things", thing("b")),
        read("/apis/{{group}}/v1/things/a", { accept: TABLE }),
      ],
    },
    {
      name: "is deleted with its objects",
      steps: [
        create(CRDS, crd(), { quiet: true }),
        established,
        served,
        create(things, thing("a"), { quiet: true }),
        remove(at, undefined, { quiet: true }),
        read(at, { until: { status: 404 } }),
        read(things, { until: { status: 404 } }),
      ],
    },
    {
      name: "status fields of a new one are dropped",
      steps: [
        create(
          CRDS,
          { ...crd(), status: { acceptedNames: { plural: "x", kind: "y" }, conditions: [], storedVersions: ["v9"] } },
          { quiet: true },
        ),
        established,
      ],
    },
    { name: "is applied", steps: [apply(at, "m1", crd())] },
  ],
};
