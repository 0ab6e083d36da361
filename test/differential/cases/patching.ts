import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, inNamespace, jsonPatch, mergePatch, read, strategicPatch } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "patching.example.com";

const one = create(
  configMaps,
  { metadata: { name: "a", labels: { x: "y" } }, data: { a: "b", n: "1" } },
  { quiet: true },
);
const at = `${configMaps}/a`;
const merged = (name: string, body: unknown, query = "", ...more: readonly Step[]): Case => ({
  name: `merge: ${name}`,
  steps: [one, mergePatch(`${at}${query}`, body), ...more],
});
const patched = (name: string, body: unknown, query = ""): Case => ({
  name: `JSON: ${name}`,
  steps: [one, jsonPatch(`${at}${query}`, body)],
});

const deployments = inNamespace("apps/v1", "deployments");
const deployment = create(
  deployments,
  {
    metadata: { name: "d", finalizers: ["example.com/a", "example.com/b"] },
    spec: {
      selector: { matchLabels: { a: "d" } },
      template: {
        metadata: { labels: { a: "d" } },
        spec: {
          containers: [
            {
              name: "c",
              image: "nginx",
              env: [
                { name: "A", value: "1" },
                { name: "B", value: "2" },
              ],
              ports: [{ containerPort: 80 }],
              args: ["x", "y"],
            },
            { name: "e", image: "envoy" },
          ],
          volumes: [{ name: "v", emptyDir: {} }],
          tolerations: [{ key: "k", operator: "Exists" }],
        },
      },
    },
  },
  { quiet: true },
);
const strategic = (name: string, body: unknown, query = ""): Case => ({
  name: `strategic: ${name}`,
  steps: [deployment, strategicPatch(`${deployments}/d${query}`, body)],
});
const inPod = (spec: unknown): object => ({ spec: { template: { spec } } });

export const topic: Topic = {
  crds: [widgetCrd(GROUP)],
  cases: [
    merged("sets and removes", { data: { n: null, m: "2" } }),
    merged("changes nothing", { data: { a: "b" } }, "", read(at)),
    merged("an empty patch", {}),
    merged("removes what is not there", { data: { zz: null } }),
    merged("removes all data", { data: null }),
    merged("not JSON", "bad"),
    merged("a list", []),
    merged("null", "null"),
    merged("a number where a string belongs", { data: { a: 1 } }),
    merged("another name", { metadata: { name: "q" } }),
    merged("another kind", { kind: "Secret" }),
    merged("another apiVersion", { apiVersion: "v2" }),
    merged("an old resourceVersion", { metadata: { resourceVersion: "1" }, data: { x: "z" } }),
    merged("force", {}, "?force=true"),
    merged("unknown fields are warned about", { zz: 1 }),
    merged("unknown fields are refused when asked", { zz: 1 }, "?fieldValidation=Strict"),
    merged("a dry run", { data: { dry: "1" } }, "?dryRun=All", read(at)),
    merged("a field manager", { data: { m: "1" } }, "?fieldManager=me"),
    merged("a result that is not valid", { metadata: { labels: { "-": "x" } } }),
    merged("a uid", { metadata: { uid: "x" } }),
    merged("duplicate keys", '{"data":{"a":"1","a":"2"}}'),
    merged("managedFields are cleared", { metadata: { managedFields: [{}] } }),
    patched("add", [{ op: "add", path: "/data/j", value: "1" }]),
    patched("replace", [{ op: "replace", path: "/data/a", value: "1" }]),
    patched("remove", [{ op: "remove", path: "/data/a" }]),
    patched("move", [{ op: "move", from: "/data/a", path: "/data/z" }]),
    patched("copy", [{ op: "copy", from: "/data/a", path: "/data/z" }]),
    patched("a test that holds", [
      { op: "test", path: "/data/a", value: "b" },
      { op: "remove", path: "/data/n" },
    ]),
    patched("a test that does not hold", [{ op: "test", path: "/data/a", value: "2" }]),
    patched("removes what is not there", [{ op: "remove", path: "/data/zz" }]),
    patched("replaces what is not there", [{ op: "replace", path: "/data/zz", value: "1" }]),
    patched("adds below what is not there", [{ op: "add", path: "/zz/zz", value: "1" }]),
    patched("an unknown operation", [{ op: "frobnicate", path: "/data/a" }]),
    patched("no path", [{ op: "add", value: "1" }]),
    patched("no value", [{ op: "add", path: "/data/a" }]),
    patched("an object instead of a list", {}),
    patched("not JSON", "bad"),
    patched("an empty list", []),
    patched("escaped keys", [
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/annotations/a.b~1c", value: "1" },
    ]),
    patched("to a list item beyond the end", [
      { op: "add", path: "/metadata/finalizers", value: ["a/b"] },
      { op: "add", path: "/metadata/finalizers/5", value: "c/d" },
    ]),
    patched("to the end of a list", [
      { op: "add", path: "/metadata/finalizers", value: ["a/b"] },
      { op: "add", path: "/metadata/finalizers/-", value: "c/d" },
    ]),
    patched("the whole document", [{ op: "replace", path: "", value: {} }]),
    patched("a number where a string belongs", [{ op: "add", path: "/data/a", value: 1 }]),
    patched("unknown fields are refused when asked", [{ op: "add", path: "/zz", value: 1 }], "?fieldValidation=Strict"),
    patched("the kind", [{ op: "add", path: "/kind", value: "x" }]),
    { name: "a patch type that nobody knows", steps: [one, mergePatch(at, "x", { type: "text/plain" })] },
    { name: "a patch without a type", steps: [one, mergePatch(at, {}, { type: "application/json" })] },
    { name: "merge: an object that is not there", steps: [mergePatch(`${configMaps}/not-there`, { data: {} })] },
    { name: "JSON: an object that is not there", steps: [jsonPatch(`${configMaps}/not-there`, [])] },
    {
      name: "strategic: a ConfigMap",
      steps: [one, strategicPatch(at, { data: { s: "1" }, metadata: { labels: { x: null, z: "1" } } })],
    },
    { name: "strategic: an object that is not there", steps: [strategicPatch(at, { data: {} })] },
    { name: "strategic: not JSON", steps: [one, strategicPatch(at, "bad")] },
    { name: "strategic: a list", steps: [one, strategicPatch(at, [])] },
    {
      name: "strategic: replaces a map",
      steps: [one, strategicPatch(at, { data: { $patch: "replace", only: "this" } })],
    },
    { name: "strategic: deletes a map", steps: [one, strategicPatch(at, { data: { $patch: "delete" } })] },
    { name: "strategic: an unknown directive", steps: [one, strategicPatch(at, { data: { $patch: "explode" } })] },
    {
      name: "strategic: retains keys",
      steps: [one, strategicPatch(at, { data: { $retainKeys: ["a", "q"], q: "1" } })],
    },
    strategic(
      "containers are merged by name",
      inPod({
        containers: [
          { name: "c", image: "nginx:2" },
          { name: "f", image: "x" },
        ],
      }),
    ),
    strategic("a container is deleted", inPod({ containers: [{ name: "e", $patch: "delete" }] })),
    strategic("a container that is not there is deleted", inPod({ containers: [{ name: "zz", $patch: "delete" }] })),
    strategic(
      "all containers are replaced",
      inPod({ containers: [{ $patch: "replace" }, { name: "only", image: "x" }] }),
    ),
    strategic("a container without a name", inPod({ containers: [{ image: "x" }] })),
    strategic(
      "an order of containers",
      inPod({
        "$setElementOrder/containers": [{ name: "e" }, { name: "c" }],
        containers: [{ name: "e", image: "e:2" }],
      }),
    ),
    strategic(
      "an order that names others",
      inPod({ "$setElementOrder/containers": [{ name: "e" }], containers: [{ name: "c", image: "c:2" }] }),
    ),
    strategic(
      "environment is merged by name",
      inPod({
        containers: [
          {
            name: "c",
            env: [
              { name: "B", value: "3" },
              { name: "C", value: "4" },
            ],
          },
        ],
      }),
    ),
    strategic(
      "a port of another protocol",
      inPod({ containers: [{ name: "c", ports: [{ containerPort: 80, protocol: "UDP" }] }] }),
    ),
    strategic("arguments are replaced", inPod({ containers: [{ name: "c", args: ["z"] }] })),
    strategic("tolerations are replaced", inPod({ tolerations: [{ key: "other", operator: "Exists" }] })),
    strategic(
      "a volume's source is replaced",
      inPod({ volumes: [{ name: "v", configMap: { name: "x" }, $retainKeys: ["name", "configMap"] }] }),
    ),
    strategic("a volume gets two sources", inPod({ volumes: [{ name: "v", configMap: { name: "x" } }] })),
    strategic("the strategy is replaced", { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
    strategic("finalizers are merged", { metadata: { finalizers: ["example.com/c"] } }),
    strategic("finalizers are deleted from the list", {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] },
    }),
    strategic("null removes", { spec: { replicas: null, template: { spec: { volumes: null } } } }),
    strategic("a string where a list belongs", inPod({ containers: "x" })),
    strategic("a list where an object belongs", { spec: [] }),
    strategic("unknown fields are refused when asked", { spec: { zz: 1 } }, "?fieldValidation=Strict"),
    strategic("unknown fields are warned about", { spec: { zz: 1 } }),
    ...["other.example.com/v1", "patching.example.com/v9", "apps/v1", "v1"].map((apiVersion) => ({
      name: `a widget becomes ${apiVersion}`,
      steps: [
        create(widgetsOf(GROUP), widgetOf(GROUP)("w"), { quiet: true }),
        mergePatch(`${widgetsOf(GROUP)}/w`, { apiVersion }),
      ],
    })),
  ],
};
