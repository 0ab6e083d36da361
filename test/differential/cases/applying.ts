import type { Topic } from "../case.ts";
import { apply, configMaps, create, inNamespace, mergePatch, rawApply, read, remove, replace } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "applying.example.com";
const widgets = widgetsOf(GROUP);
const widget = widgetOf(GROUP);
const w = `${widgets}/w`;
const spec = (value: unknown): unknown => widget("w", value);
const map = (data: unknown, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});
const a = `${configMaps}/a`;
const deployments = inNamespace("apps/v1", "deployments");
const deployment = (inPod: object, more: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { a: "d" } },
    template: { metadata: { labels: { a: "d" } }, spec: { containers: [{ name: "c", image: "nginx" }], ...inPod } },
    ...more,
  },
});

export const topic: Topic = {
  crds: [widgetCrd(GROUP)],
  cases: [
    { name: "creates", steps: [apply(a, "m1", map({ a: "1" }))] },
    { name: "without a manager", steps: [rawApply(a, map({}))] },
    { name: "with an empty manager", steps: [rawApply(`${a}?fieldManager=`, map({}))] },
    {
      name: "the same again changes nothing",
      steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m1", map({ a: "1" }))],
    },
    { name: "less removes", steps: [apply(a, "m1", map({ a: "1", b: "2" })), apply(a, "m1", map({ a: "1" }))] },
    { name: "another manager adds", steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m2", map({ b: "1" }))] },
    {
      name: "another manager sets the same value",
      steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m2", map({ a: "1" })), apply(a, "m1", map({}))],
    },
    { name: "a conflict", steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m2", map({ a: "2" }))] },
    {
      name: "several conflicts",
      steps: [apply(a, "m1", map({ a: "1", b: "1" })), apply(a, "m3", map({ a: "2", b: "2", c: "2" }))],
    },
    { name: "a conflict by force", steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m2", map({ a: "2" }), true)] },
    {
      name: "a conflict with an update",
      steps: [create(configMaps, map({ a: "1" })), apply(a, "m1", map({ a: "2" }))],
    },
    {
      name: "over what was created",
      steps: [create(configMaps, map({ a: "1" })), apply(a, "m1", map({ a: "1" })), apply(a, "m1", map({}))],
    },
    {
      name: "an update takes over",
      steps: [apply(a, "m1", map({ a: "1" })), replace(a, map({ a: "2" })), apply(a, "m1", map({ a: "1" }))],
    },
    {
      name: "a merge patch takes over",
      steps: [
        apply(a, "m1", map({ a: "1" })),
        mergePatch(`${a}?fieldManager=p`, { data: { a: "2" } }),
        apply(a, "m1", map({ a: "2" })),
      ],
    },
    {
      name: "gives up everything",
      steps: [
        apply(a, "m1", map({ a: "1" })),
        apply(a, "m1", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }),
      ],
    },
    { name: "without a kind", steps: [apply(a, "m1", { metadata: { name: "a" } })] },
    { name: "without an apiVersion", steps: [apply(a, "m1", { kind: "ConfigMap", metadata: { name: "a" } })] },
    { name: "another kind", steps: [apply(a, "m1", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } })] },
    { name: "another name", steps: [apply(a, "m1", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } })] },
    { name: "another namespace", steps: [apply(a, "m1", map({}, { namespace: "other" }))] },
    { name: "without metadata", steps: [apply(a, "m1", { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } })] },
    {
      name: "managedFields",
      steps: [
        apply(a, "m1", map({}, { managedFields: [] })),
        apply(a, "m1", map({}, { managedFields: [{ manager: "x" }] })),
      ],
    },
    { name: "a uid for what is not there", steps: [apply(a, "m1", map({}, { uid: "x" }))] },
    { name: "a resourceVersion for what is not there", steps: [apply(a, "m1", map({}, { resourceVersion: "1" }))] },
    {
      name: "an old resourceVersion",
      steps: [apply(a, "m1", map({ a: "1" })), apply(a, "m1", map({ a: "2" }, { resourceVersion: "1" }))],
    },
    { name: "YAML that does not parse", steps: [apply(a, "m1", "a: [b")] },
    {
      name: "YAML",
      steps: [apply(a, "m1", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: |\n    text\n")],
    },
    { name: "an unknown field", steps: [apply(a, "m1", { ...map({}), unknown: 1 })] },
    { name: "a value of another type", steps: [apply(a, "m1", map({ a: 1 }))] },
    { name: "data of another type", steps: [apply(a, "m1", map("text"))] },
    { name: "a dry run", steps: [apply(`${a}?dryRun=All`, "m1", map({ a: "1" })), read(a)] },
    { name: "not valid", steps: [apply(a, "m1", map({ "a b": "1" }))] },
    {
      name: "labels and annotations",
      steps: [
        apply(a, "m1", map({}, { labels: { a: "1" }, annotations: { b: "2" } })),
        apply(a, "m2", map({}, { labels: { a: "2" } })),
        apply(a, "m1", map({})),
      ],
    },
    {
      name: "finalizers are a set",
      steps: [
        apply(a, "m1", map({}, { finalizers: ["example.com/a"] })),
        apply(a, "m2", map({}, { finalizers: ["example.com/b"] })),
        apply(a, "m1", map({})),
      ],
    },
    {
      name: "owner references are a map",
      steps: [
        apply(
          a,
          "m1",
          map({}, { ownerReferences: [{ apiVersion: "nowhere.example.com/v1", kind: "Ghost", name: "x", uid: "u1" }] }),
        ),
        apply(
          a,
          "m2",
          map({}, { ownerReferences: [{ apiVersion: "nowhere.example.com/v1", kind: "Ghost", name: "y", uid: "u2" }] }),
        ),
      ],
    },
    { name: "force that is no boolean", steps: [rawApply(`${a}?fieldManager=m&force=maybe`, map({}))] },
    {
      name: "to an object that was deleted",
      steps: [apply(a, "m1", map({ a: "1" })), remove(a, undefined, { quiet: true }), apply(a, "m1", map({ a: "2" }))],
    },
    { name: "a widget", steps: [apply(w, "m1", spec({ size: 1, tags: ["x", "y"], ports: [{ name: "p", port: 1 }] }))] },
    {
      name: "a widget: defaults belong to nobody",
      steps: [apply(w, "m1", spec({})), apply(w, "m2", spec({ color: "red" }))],
    },
    {
      name: "a widget: a set is shared",
      steps: [
        apply(w, "m1", spec({ tags: ["x", "y"] })),
        apply(w, "m2", spec({ tags: ["y", "z"] })),
        apply(w, "m1", spec({ tags: ["x"] })),
        apply(w, "m2", spec({})),
      ],
    },
    {
      name: "a widget: a list map is shared",
      steps: [
        apply(
          w,
          "m1",
          spec({
            ports: [
              { name: "p1", port: 1 },
              { name: "p2", port: 2 },
            ],
          }),
        ),
        apply(w, "m2", spec({ ports: [{ name: "p2", port: 3 }] })),
        apply(w, "m2", spec({ ports: [{ name: "p2", port: 3 }] }), true),
        apply(w, "m1", spec({})),
      ],
    },
    {
      name: "a widget: a plain list is one value",
      steps: [
        apply(w, "m1", spec({ steps: ["a"] })),
        apply(w, "m2", spec({ steps: ["b"] })),
        apply(w, "m2", spec({ steps: ["a"] })),
      ],
    },
    {
      name: "a widget: an atomic map is one value",
      steps: [
        apply(w, "m1", spec({ point: { x: 1, y: 1 } })),
        apply(w, "m2", spec({ point: { x: 2 } })),
        apply(w, "m2", spec({ point: { x: 2 } }), true),
      ],
    },
    {
      name: "a widget: a map of strings",
      steps: [
        apply(w, "m1", spec({ extra: { a: "1", b: "2" } })),
        apply(w, "m2", spec({ extra: { b: "3", c: "4" } }), true),
        apply(w, "m1", spec({ extra: { a: "1" } })),
      ],
    },
    {
      name: "a widget: order of list maps",
      steps: [
        apply(w, "m1", spec({ ports: [{ name: "b" }, { name: "a" }] })),
        apply(w, "m2", spec({ ports: [{ name: "c" }, { name: "a" }] })),
        apply(w, "m1", spec({ ports: [{ name: "a" }, { name: "b" }] })),
      ],
    },
    { name: "a widget: an unknown field", steps: [apply(w, "m1", spec({ zzz: 1 }))] },
    { name: "a widget: the same key twice", steps: [apply(w, "m1", spec({ ports: [{ name: "a" }, { name: "a" }] }))] },
    { name: "a widget: the same item twice", steps: [apply(w, "m1", spec({ tags: ["a", "a"] }))] },
    { name: "a widget: a key is missing", steps: [apply(w, "m1", spec({ ports: [{ port: 1 }] }))] },
    { name: "a widget: not valid", steps: [apply(w, "m1", spec({ size: -1 }))] },
    { name: "a widget: a rule does not hold", steps: [apply(w, "m1", spec({ size: 100 }))] },
    { name: "a widget: of another type", steps: [apply(w, "m1", spec({ size: "big" }))] },
    { name: "a widget: null", steps: [apply(w, "m1", spec({ size: null, color: null }))] },
    {
      name: "a widget: status is another manager's",
      steps: [
        apply(w, "m1", spec({ size: 1 })),
        apply(`${w}/status`, "m2", {
          apiVersion: `${GROUP}/v1`,
          kind: "Widget",
          metadata: { name: "w" },
          status: { phase: "up" },
        }),
        apply(w, "m1", { ...widget("w", { size: 1 }), status: { phase: "down" } }),
        read(w),
      ],
    },
    {
      name: "a widget: status of what is not there",
      steps: [
        apply(`${w}/status`, "m2", {
          apiVersion: `${GROUP}/v1`,
          kind: "Widget",
          metadata: { name: "w" },
          status: { phase: "up" },
        }),
      ],
    },
    {
      name: "a widget: its scale",
      steps: [
        apply(w, "m1", spec({ replicas: 1 })),
        apply(`${w}/scale`, "m2", {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "w" },
          spec: { replicas: 2 },
        }),
        apply(
          `${w}/scale`,
          "m2",
          { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "w" }, spec: { replicas: 2 } },
          true,
        ),
        read(w),
      ],
    },
    {
      name: "a widget: another version",
      steps: [apply(w, "m1", { apiVersion: `${GROUP}/v2`, kind: "Widget", metadata: { name: "w" } })],
    },
    { name: "a Deployment", steps: [apply(`${deployments}/d`, "m1", deployment({}))] },
    {
      name: "a Deployment: environment by name",
      steps: [
        apply(`${deployments}/d`, "m1", deployment({})),
        apply(`${deployments}/d`, "m2", {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "d" },
          spec: { replicas: 3, template: { spec: { containers: [{ name: "c", env: [{ name: "A", value: "b" }] }] } } },
        }),
      ],
    },
    {
      name: "a Deployment: ports by number and protocol",
      steps: [
        apply(
          `${deployments}/d`,
          "m1",
          deployment({
            containers: [
              { name: "c", image: "x", ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }] },
            ],
          }),
        ),
      ],
    },
    {
      name: "a Deployment: the same environment twice",
      steps: [
        apply(
          `${deployments}/d`,
          "m1",
          deployment({
            containers: [
              {
                name: "c",
                image: "x",
                env: [
                  { name: "A", value: "1" },
                  { name: "A", value: "2" },
                ],
              },
            ],
          }),
        ),
      ],
    },
    {
      name: "a Deployment: replicas are left to another",
      steps: [
        apply(`${deployments}/d`, "m1", deployment({}, { replicas: 2 })),
        mergePatch(`${deployments}/d/scale`, { spec: { replicas: 5 } }),
        apply(`${deployments}/d`, "m1", deployment({}, { replicas: 2 })),
        apply(`${deployments}/d`, "m1", deployment({})),
      ],
    },
    {
      name: "a Deployment: an unknown field",
      steps: [apply(`${deployments}/d`, "m1", deployment({ containres: [] }))],
    },
    {
      name: "a Service: ports",
      steps: [
        apply(`${inNamespace("v1", "services")}/s`, "m1", {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "s" },
          spec: { clusterIP: "None", ports: [{ port: 80, name: "http" }] },
        }),
        apply(`${inNamespace("v1", "services")}/s`, "m2", {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "s" },
          spec: { ports: [{ port: 443, name: "https", protocol: "TCP" }] },
        }),
      ],
    },
    {
      name: "a Secret with stringData",
      steps: [
        apply(`${inNamespace("v1", "secrets")}/s`, "m1", {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "s" },
          stringData: { a: "b" },
        }),
        apply(`${inNamespace("v1", "secrets")}/s`, "m1", { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } }),
      ],
    },
  ],
};
