import type { Case, Topic } from "../case.ts";
import { METADATA_LIST, TABLE, configMaps, create, inNamespace, read, remove } from "../steps.ts";

const named = (name: string, labels: object = {}) =>
  create(configMaps, { metadata: { name, labels }, data: { name } }, { quiet: true });
const three = [
  named("a", { app: "web", tier: "front" }),
  named("b", { app: "web" }),
  named("c", { app: "db", env: "" }),
];
const listed = (name: string, query: string, extra = {}): Case => ({
  name,
  steps: [...three, read(`${configMaps}?${query}`, extra)],
});

/** From what the server has at hand, which on the real one may be a moment old: a list of the newest state makes it catch up. */
const listedAtHand = (name: string, query: string): Case => ({
  name,
  steps: [...three, read(configMaps), read(`${configMaps}?${query}`)],
});

export const topic: Topic = {
  cases: [
    listed("everything", ""),
    listed("as a Table", "", { accept: TABLE }),
    listed("as metadata", "", { accept: METADATA_LIST }),
    listed("one as YAML", "fieldSelector=metadata.name=a", { accept: "application/yaml" }),
    listed("a label that is equal", "labelSelector=app=web"),
    listed("a label that is equal, with two signs", "labelSelector=app==web"),
    listed("a label that is not equal", "labelSelector=app!=web"),
    listed("a label in a set", "labelSelector=app in (web,db)"),
    listed("a label not in a set", "labelSelector=app notin (web)"),
    listed("a label that is there", "labelSelector=tier"),
    listed("a label that is not there", "labelSelector=!tier"),
    listed("an empty label", "labelSelector=env="),
    listed("two conditions on labels", "labelSelector=app=web,!tier"),
    listed("a number condition on a label", "labelSelector=app>1"),
    listed("a number condition without a number", "labelSelector=app>x"),
    listed("a label selector that does not parse", "labelSelector=a b c"),
    listed("a label selector with an unknown operator", "labelSelector=app~web"),
    listed("a label selector with a set that does not end", "labelSelector=app in (web"),
    listed("a label selector with an empty set", "labelSelector=app in ()"),
    listed("a label selector with a key that is not valid", "labelSelector=-a=b"),
    listed("a label selector with a value that is not valid", "labelSelector=a=b c!"),
    listed("a label selector that ends with a comma", "labelSelector=app=web,"),
    listed("an empty label selector", "labelSelector="),
    listed("a field that is equal", "fieldSelector=metadata.name=a"),
    listed("a field that is not equal", "fieldSelector=metadata.name!=a"),
    listed("two conditions on fields", "fieldSelector=metadata.name!=a,metadata.name!=b"),
    listed("the namespace as a field", "fieldSelector=metadata.namespace={{ns}}"),
    listed("another namespace as a field", "fieldSelector=metadata.namespace=other"),
    listed("a field that cannot be selected", "fieldSelector=data.name=a"),
    listed("a field selector that does not parse", "fieldSelector=metadata.name"),
    listed("a field selector with an escape", "fieldSelector=metadata.name=a\\,b"),
    listed("fields and labels", "fieldSelector=metadata.name!=a&labelSelector=app=web"),
    listed("a limit", "limit=2"),
    listed("a limit of all", "limit=4"),
    listed("a limit of 0", "limit=0"),
    listed("a limit below 0", "limit=-1"),
    listed("a limit that is none", "limit=abc"),
    listed("a limit with a selector", "limit=1&labelSelector=app=web"),
    listedAtHand("a limit at resourceVersion 0", "limit=1&resourceVersion=0"),
    listed("a continue that is none", "continue=abc"),
    listed("a continue with a resourceVersion", "continue=abc&resourceVersion=1"),
    listed("a resourceVersion that is none", "resourceVersion=abc"),
    listedAtHand("resourceVersion 0", "resourceVersion=0"),
    listed("a resourceVersion of the future", "resourceVersion=999999999999"),
    listed("resourceVersionMatch without a resourceVersion", "resourceVersionMatch=Exact"),
    listed("a resourceVersionMatch that is none", "resourceVersionMatch=Foo&resourceVersion=1"),
    listed("exactly resourceVersion 0", "resourceVersionMatch=Exact&resourceVersion=0"),
    listedAtHand("not older than 0", "resourceVersionMatch=NotOlderThan&resourceVersion=0"),
    listed("initial events without a watch", "sendInitialEvents=true"),
    {
      name: "page by page",
      steps: [
        ...three,
        read(`${configMaps}?limit=2`, { save: { token: "metadata.continue" } }),
        read(`${configMaps}?limit=2&continue={{token}}`),
      ],
    },
    {
      name: "one by one as Tables",
      steps: [
        ...three,
        read(`${configMaps}?limit=1`, { accept: TABLE, save: { token: "metadata.continue" } }),
        read(`${configMaps}?limit=1&continue={{token}}`, { accept: TABLE, save: { token: "metadata.continue" } }),
        read(`${configMaps}?limit=1&continue={{token}}`, { accept: TABLE, save: { token: "metadata.continue" } }),
        read(`${configMaps}?limit=1&continue={{token}}`, { accept: TABLE }),
      ],
    },
    {
      name: "pages show one moment",
      steps: [
        ...three,
        read(`${configMaps}?limit=1`, { save: { token: "metadata.continue" } }),
        remove(`${configMaps}/b`, undefined, { quiet: true }),
        named("aa"),
        read(`${configMaps}?limit=5&continue={{token}}`),
      ],
    },
    {
      name: "the past, exactly",
      steps: [
        ...three,
        read(configMaps, { save: { past: "metadata.resourceVersion" } }),
        remove(`${configMaps}/b`, undefined, { quiet: true }),
        read(`${configMaps}?resourceVersion={{past}}&resourceVersionMatch=Exact`),
        read(`${configMaps}?resourceVersion={{past}}&resourceVersionMatch=NotOlderThan`),
      ],
    },
    {
      name: "a continue with a resourceVersion that was given before",
      steps: [
        ...three,
        read(`${configMaps}?limit=1`, { save: { token: "metadata.continue", past: "metadata.resourceVersion" } }),
        read(`${configMaps}?limit=1&continue={{token}}&resourceVersion={{past}}`),
      ],
    },
    {
      name: "Secrets by their type",
      steps: [
        create(inNamespace("v1", "secrets"), { metadata: { name: "s" }, type: "example.com/x" }, { quiet: true }),
        create(inNamespace("v1", "secrets"), { metadata: { name: "t" } }, { quiet: true }),
        read(`${inNamespace("v1", "secrets")}?fieldSelector=type=example.com/x`),
        read(`${inNamespace("v1", "secrets")}?fieldSelector=type!=example.com/x`),
      ],
    },
    {
      name: "all namespaces by a label",
      steps: [
        create(configMaps, { metadata: { name: "a", labels: { where: "{{ns}}" } } }, { quiet: true }),
        read("/api/v1/configmaps?labelSelector=where={{ns}}"),
      ],
    },
    {
      name: "all of one name in all namespaces",
      steps: [
        create(configMaps, { metadata: { name: "only-{{ns}}" } }, { quiet: true }),
        read("/api/v1/configmaps?fieldSelector=metadata.name=only-{{ns}}"),
      ],
    },
  ],
};
