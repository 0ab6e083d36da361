import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, inNamespace, mergePatch, read, remove } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "deleting.example.com";
const widgets = widgetsOf(GROUP);
const widget = widgetOf(GROUP);
const one = create(
  configMaps,
  { metadata: { name: "a", labels: { x: "y" } } },
  { quiet: true, save: { revision: "metadata.resourceVersion", uid: "metadata.uid" } },
);
const held = create(configMaps, { metadata: { name: "h", finalizers: ["example.com/hold"] } }, { quiet: true });
const deleted = (name: string, options?: unknown, query = "", ...more: readonly Step[]): Case => ({
  name,
  steps: [one, remove(`${configMaps}/a${query}`, options), ...more],
});
const owner = create(configMaps, { metadata: { name: "owner" } }, { quiet: true, save: { owner: "metadata.uid" } });
const owned = (name: string, more: object = {}): Step =>
  create(
    configMaps,
    {
      metadata: {
        name,
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{owner}}", ...more }],
      },
    },
    { quiet: true },
  );
const goes = (name: string): Step => read(`${configMaps}/${name}`, { until: { status: 404 } });

export const topic: Topic = {
  crds: [widgetCrd(GROUP)],
  cases: [
    deleted("an object", undefined, "", read(`${configMaps}/a`)),
    deleted("twice", undefined, "", remove(`${configMaps}/a`)),
    deleted("with the right uid", { preconditions: { uid: "{{uid}}" } }),
    deleted("with another uid", { preconditions: { uid: "x" } }),
    deleted("with the right resourceVersion", { preconditions: { resourceVersion: "{{revision}}" } }),
    deleted("with an old resourceVersion", { preconditions: { resourceVersion: "1" } }),
    deleted("with an unknown propagation", { propagationPolicy: "Foo" }),
    deleted("with propagation and orphanDependents", { propagationPolicy: "Background", orphanDependents: true }),
    deleted("as a dry run", undefined, "?dryRun=All", read(`${configMaps}/a`)),
    deleted("as a dry run by the body", { dryRun: ["All"] }, "", read(`${configMaps}/a`)),
    deleted("with a grace period", { gracePeriodSeconds: 30 }),
    deleted("with a grace period below 0", { gracePeriodSeconds: -1 }),
    deleted("with options in the query", undefined, "?propagationPolicy=Foreground&gracePeriodSeconds=0"),
    deleted("with options of another kind", { kind: "ConfigMap", apiVersion: "v1" }),
    deleted("with options as they are meant", {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: "Background",
    }),
    deleted("with options that are not JSON", "bad"),
    deleted("with a list as options", []),
    deleted("with a grace period that is a string", { gracePeriodSeconds: "x" }),
    {
      name: "a finalizer holds",
      steps: [
        held,
        remove(`${configMaps}/h`),
        read(`${configMaps}/h`),
        remove(`${configMaps}/h`),
        mergePatch(`${configMaps}/h`, { metadata: { finalizers: null } }),
        read(`${configMaps}/h`),
      ],
    },
    {
      name: "a finalizer is added too late",
      steps: [
        held,
        remove(`${configMaps}/h`, undefined, { quiet: true }),
        mergePatch(`${configMaps}/h`, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }),
      ],
    },
    {
      name: "what is being deleted can be changed",
      steps: [
        held,
        remove(`${configMaps}/h`, undefined, { quiet: true }),
        mergePatch(`${configMaps}/h`, { data: { a: "b" } }),
      ],
    },
    {
      name: "what is being deleted cannot be created",
      steps: [
        held,
        remove(`${configMaps}/h`, undefined, { quiet: true }),
        create(configMaps, { metadata: { name: "h" } }),
      ],
    },
    {
      name: "in the foreground adds a finalizer",
      steps: [held, remove(`${configMaps}/h`, { propagationPolicy: "Foreground" })],
    },
    { name: "orphaning adds a finalizer", steps: [held, remove(`${configMaps}/h`, { propagationPolicy: "Orphan" })] },
    {
      name: "a collection by label",
      steps: [
        one,
        create(configMaps, { metadata: { name: "b" } }, { quiet: true }),
        remove(`${configMaps}?labelSelector=x=y`),
        read(`${configMaps}?fieldSelector=metadata.name!=kube-root-ca.crt`),
      ],
    },
    {
      name: "a collection by name",
      steps: [one, remove(`${configMaps}?fieldSelector=metadata.name=a`), read(`${configMaps}/a`)],
    },
    {
      name: "a collection as a dry run",
      steps: [one, remove(`${configMaps}?labelSelector=x=y&dryRun=All`), read(`${configMaps}/a`)],
    },
    { name: "a collection with what is held", steps: [held, remove(`${configMaps}?fieldSelector=metadata.name=h`)] },
    { name: "a collection of nothing", steps: [one, remove(`${configMaps}?labelSelector=x=z`)] },
    {
      name: "a collection by a selector that does not parse",
      steps: [one, remove(`${configMaps}?labelSelector=a b c`)],
    },
    { name: "a widget", steps: [create(widgets, widget("a")), remove(`${widgets}/a`), read(`${widgets}/a`)] },
    {
      name: "a widget that is held",
      steps: [
        create(widgets, widget("a", {}, { finalizers: ["example.com/x"] })),
        remove(`${widgets}/a`),
        mergePatch(`${widgets}/a`, { metadata: { finalizers: [] } }),
        read(`${widgets}/a`),
      ],
    },
    {
      name: "a widget with another uid",
      steps: [create(widgets, widget("a")), remove(`${widgets}/a`, { preconditions: { uid: "x" } })],
    },
    { name: "a widget that is not there", steps: [remove(`${widgets}/nope`)] },
    {
      name: "a collection of widgets",
      steps: [
        create(widgets, widget("a")),
        create(widgets, widget("b", { color: "red" })),
        remove(`${widgets}?fieldSelector=spec.color=red`),
        read(widgets),
      ],
    },
    {
      name: "a pod that was never bound",
      steps: [
        create(inNamespace("v1", "pods"), {
          metadata: { name: "p" },
          spec: { containers: [{ name: "c", image: "x" }] },
        }),
        remove(`${inNamespace("v1", "pods")}/p`),
        read(`${inNamespace("v1", "pods")}/p`),
      ],
    },
    {
      name: "a pod on a node waits for it",
      steps: [
        create(
          inNamespace("v1", "pods"),
          { metadata: { name: "p" }, spec: { nodeName: "n", containers: [{ name: "c", image: "x" }] } },
          { quiet: true },
        ),
        remove(`${inNamespace("v1", "pods")}/p`),
        remove(`${inNamespace("v1", "pods")}/p`, { gracePeriodSeconds: 5 }),
        remove(`${inNamespace("v1", "pods")}/p`, { gracePeriodSeconds: 0 }),
      ],
    },
    {
      name: "a system namespace",
      steps: [remove("/api/v1/namespaces/kube-system"), remove("/api/v1/namespaces/default")],
    },
    {
      name: "a namespace takes its objects along",
      steps: [
        one,
        remove("/api/v1/namespaces/{{ns}}"),
        read("/api/v1/namespaces/{{ns}}", { until: { status: 404 } }),
        read(`${configMaps}/a`),
      ],
    },
    {
      name: "a namespace waits for finalizers",
      steps: [
        held,
        remove("/api/v1/namespaces/{{ns}}"),
        read("/api/v1/namespaces/{{ns}}", { until: { at: "status.conditions.4.status" } }),
        create(configMaps, { metadata: { name: "late" } }),
        mergePatch(`${configMaps}/h`, { metadata: { finalizers: null } }, { quiet: true }),
        read("/api/v1/namespaces/{{ns}}", { until: { status: 404 } }),
      ],
    },
    { name: "namespaces have no collection to delete", steps: [remove("/api/v1/namespaces")] },
    {
      name: "garbage: dependents go in the background",
      steps: [
        owner,
        owned("d1"),
        owned("d2"),
        remove(`${configMaps}/owner`, { propagationPolicy: "Background" }),
        goes("d1"),
        goes("d2"),
      ],
    },
    {
      name: "garbage: dependents go first in the foreground",
      steps: [
        owner,
        owned("d1", { blockOwnerDeletion: true }),
        remove(`${configMaps}/owner`, { propagationPolicy: "Foreground" }),
        goes("d1"),
        goes("owner"),
      ],
    },
    {
      name: "garbage: dependents are orphaned",
      steps: [
        owner,
        owned("d1"),
        remove(`${configMaps}/owner`, { propagationPolicy: "Orphan" }),
        goes("owner"),
        read(`${configMaps}/d1`),
      ],
    },
    {
      name: "garbage: an owner that never was",
      steps: [
        create(
          configMaps,
          {
            metadata: {
              name: "d",
              ownerReferences: [
                { apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "00000000-0000-0000-0000-000000000001" },
              ],
            },
          },
          { quiet: true },
        ),
        goes("d"),
      ],
    },
    {
      name: "garbage: the second owner keeps it",
      steps: [
        owner,
        create(configMaps, { metadata: { name: "other" } }, { quiet: true, save: { other: "metadata.uid" } }),
        create(
          configMaps,
          {
            metadata: {
              name: "d",
              ownerReferences: [
                { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{owner}}" },
                { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "{{other}}" },
              ],
            },
          },
          { quiet: true },
        ),
        remove(`${configMaps}/owner`),
        read(`${configMaps}/d`, { until: { at: "metadata.ownerReferences.1", is: undefined } }),
      ],
    },
    {
      name: "garbage: chains go",
      steps: [
        owner,
        create(
          configMaps,
          {
            metadata: {
              name: "d1",
              ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{owner}}" }],
            },
          },
          { quiet: true, save: { d1: "metadata.uid" } },
        ),
        create(
          configMaps,
          {
            metadata: {
              name: "d2",
              ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "d1", uid: "{{d1}}" }],
            },
          },
          { quiet: true },
        ),
        remove(`${configMaps}/owner`),
        goes("d1"),
        goes("d2"),
      ],
    },
  ],
};
