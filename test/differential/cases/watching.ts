import type { Topic } from "../case.ts";
import { METADATA, TABLE, configMaps, create, inNamespace, mergePatch, read, remove, watch } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "watching.example.com";
const widgets = widgetsOf(GROUP);
const widget = widgetOf(GROUP);
const mine = `${configMaps}?labelSelector=mine`;
const make = (name: string, more: object = {}) =>
  create(configMaps, { metadata: { name, labels: { mine: "1", ...more } } }, { quiet: true });
const now = read(mine, { quiet: true, save: { revision: "metadata.resourceVersion" } });
const since = `${mine}&resourceVersion={{revision}}`;
const INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

export const topic: Topic = {
  crds: [widgetCrd(GROUP)],
  cases: [
    {
      name: "what is there, then what happens",
      steps: [
        make("a"),
        watch(mine, 3),
        make("b"),
        mergePatch(`${configMaps}/a`, { data: { a: "b" } }, { quiet: true }),
      ],
    },
    {
      name: "from a revision",
      steps: [make("a"), now, watch(since, 2), make("b"), remove(`${configMaps}/a`, undefined, { quiet: true })],
    },
    {
      name: "from a revision of the past",
      steps: [now, make("a"), make("b"), remove(`${configMaps}/a`, undefined, { quiet: true }), watch(since, 3)],
    },
    { name: "from revision 0", steps: [make("a"), watch(`${mine}&resourceVersion=0`, 2), make("b")] },
    { name: "from the first revision", steps: [make("a"), watch(`${mine}&resourceVersion=1`, 2), make("b")] },
    { name: "a revision that is none", steps: [watch(`${configMaps}?resourceVersion=abc`, 1)] },
    {
      name: "a revision that is too old",
      // In a namespace in which nobody ever tells an event by itself.
      steps: [watch(`/api/v1/namespaces/kube-public/events?resourceVersion=1&timeoutSeconds=1`, 1)],
    },
    {
      name: "initial events end with a bookmark",
      steps: [make("a"), make("b"), watch(`${mine}&${INITIAL}`, 4), make("c")],
    },
    { name: "initial events of nothing", steps: [watch(`${mine}&${INITIAL}`, 2), make("c")] },
    { name: "initial events without a match", steps: [watch(`${mine}&sendInitialEvents=true`, 1)] },
    {
      name: "initial events that match exactly",
      steps: [watch(`${mine}&sendInitialEvents=true&resourceVersionMatch=Exact`, 1)],
    },
    {
      name: "initial events without bookmarks",
      steps: [make("a"), watch(`${mine}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, 2), make("b")],
    },
    {
      name: "no initial events",
      steps: [make("a"), watch(`${mine}&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`, 1), make("b")],
    },
    {
      name: "resourceVersionMatch without initial events",
      steps: [watch(`${mine}&resourceVersionMatch=NotOlderThan&resourceVersion=0`, 1)],
    },
    {
      name: "bookmarks without initial events",
      steps: [make("a"), watch(`${mine}&allowWatchBookmarks=true`, 3), make("b")],
    },
    {
      name: "comes into and leaves a selection",
      steps: [
        create(configMaps, { metadata: { name: "a" } }, { quiet: true }),
        now,
        watch(since, 3),
        mergePatch(`${configMaps}/a`, { metadata: { labels: { mine: "1" } } }, { quiet: true }),
        mergePatch(`${configMaps}/a`, { data: { x: "y" } }, { quiet: true }),
        mergePatch(`${configMaps}/a`, { metadata: { labels: { mine: null } } }, { quiet: true }),
      ],
    },
    {
      name: "one name",
      steps: [
        make("a"),
        watch(`${configMaps}?fieldSelector=metadata.name=a`, 3),
        make("b"),
        mergePatch(`${configMaps}/a`, { data: { x: "y" } }, { quiet: true }),
        remove(`${configMaps}/a`, undefined, { quiet: true }),
      ],
    },
    { name: "as a Table", steps: [make("a"), watch(mine, 2, { accept: TABLE }), make("b")] },
    {
      name: "as a Table with initial events",
      steps: [make("a"), watch(`${mine}&${INITIAL}`, 3, { accept: TABLE }), make("b")],
    },
    { name: "as metadata", steps: [make("a"), watch(mine, 2, { accept: METADATA }), make("b")] },
    {
      name: "as metadata with initial events",
      steps: [make("a"), watch(`${mine}&${INITIAL}`, 2, { accept: METADATA })],
    },
    {
      name: "the old path",
      steps: [make("a"), read(`/api/v1/watch/namespaces/{{ns}}/configmaps?labelSelector=mine&timeoutSeconds=1`)],
    },
    {
      name: "the old path of a name",
      steps: [make("a"), read(`/api/v1/watch/namespaces/{{ns}}/configmaps/a?timeoutSeconds=1`)],
    },
    { name: "a time-out", steps: [make("a"), read(`${mine}&watch=true&timeoutSeconds=1`)] },
    { name: "a time-out that is none", steps: [read(`${mine}&watch=true&timeoutSeconds=x`)] },
    { name: "watch=0 is a list", steps: [make("a"), read(`${mine}&watch=0`)] },
    { name: "watch=maybe", steps: [make("a"), read(`${mine}&watch=maybe&timeoutSeconds=1`)] },
    { name: "a selector that does not parse", steps: [read(`${configMaps}?watch=1&labelSelector=a b c`)] },
    { name: "an unknown resource", steps: [read(`/api/v1/namespaces/{{ns}}/nothings?watch=1`)] },
    { name: "YAML", steps: [make("a"), read(`${mine}&watch=1&timeoutSeconds=1`, { accept: "application/yaml" })] },
    {
      name: "a deletion that waits is a change",
      steps: [
        create(
          configMaps,
          { metadata: { name: "f", labels: { mine: "1" }, finalizers: ["example.com/a"] } },
          { quiet: true },
        ),
        now,
        watch(since, 2),
        remove(`${configMaps}/f`, undefined, { quiet: true }),
        mergePatch(`${configMaps}/f`, { metadata: { finalizers: null } }, { quiet: true }),
      ],
    },
    {
      name: "a write that changes nothing is no event",
      steps: [
        make("a"),
        now,
        watch(since, 1),
        mergePatch(`${configMaps}/a`, {}, { quiet: true }),
        mergePatch(`${configMaps}/a`, { data: { b: "c" } }, { quiet: true }),
      ],
    },
    {
      name: "a dry run is no event",
      steps: [
        now,
        watch(since, 1),
        create(`${configMaps}?dryRun=All`, { metadata: { name: "dry", labels: { mine: "1" } } }, { quiet: true }),
        make("a"),
      ],
    },
    {
      name: "widgets",
      steps: [
        create(widgets, widget("a"), { quiet: true }),
        watch(widgets, 4),
        create(widgets, widget("b", { color: "red" }), { quiet: true }),
        mergePatch(`${widgets}/a/status`, { status: { phase: "up" } }, { quiet: true }),
        remove(`${widgets}/b`, undefined, { quiet: true }),
      ],
    },
    {
      name: "widgets with initial events",
      steps: [create(widgets, widget("a"), { quiet: true }), watch(`${widgets}?${INITIAL}`, 2)],
    },
    {
      name: "widgets as a Table",
      steps: [
        create(widgets, widget("a", { size: 3 }), { quiet: true }),
        watch(`${widgets}?${INITIAL}`, 3, { accept: TABLE }),
        create(widgets, widget("b"), { quiet: true }),
      ],
    },
    {
      name: "widgets by a field",
      steps: [
        create(widgets, widget("a"), { quiet: true }),
        watch(`${widgets}?fieldSelector=spec.color=red`, 3),
        create(widgets, widget("b", { color: "red" }), { quiet: true }),
        mergePatch(`${widgets}/a`, { spec: { color: "red" } }, { quiet: true }),
        mergePatch(`${widgets}/b`, { spec: { color: "green" } }, { quiet: true }),
      ],
    },
    ...[
      inNamespace("batch/v1", "cronjobs"),
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldSelector=metadata.name=none",
    ].map((path) => ({
      name: `a Table of no ${path.includes("cronjobs") ? "cronjobs" : "definitions"} ends with a row`,
      steps: [watch(`${path}${path.includes("?") ? "&" : "?"}${INITIAL}`, 1, { accept: TABLE })],
    })),
    {
      name: "a Secret",
      steps: [
        watch(inNamespace("v1", "secrets"), 1),
        create(inNamespace("v1", "secrets"), { metadata: { name: "s" }, stringData: { a: "b" } }, { quiet: true }),
      ],
    },
  ],
};
