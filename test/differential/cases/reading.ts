import type { Topic } from "../case.ts";
import { METADATA, METADATA_LIST, TABLE, configMaps, create, read } from "../steps.ts";

const one = create(configMaps, { metadata: { name: "a", labels: { x: "y" } }, data: { a: "b" } }, { quiet: true });
const about = (name: string, path: string, extra = {}) => ({ name, steps: [one, read(path, extra)] });

export const topic: Topic = {
  cases: [
    about("an object", `${configMaps}/a`),
    about("an object as YAML", `${configMaps}/a`, { accept: "application/yaml" }),
    about("an object as a Table", `${configMaps}/a`, { accept: TABLE }),
    about("an object as a Table with the object", `${configMaps}/a?includeObject=Object`, { accept: TABLE }),
    about("an object as a Table without the object", `${configMaps}/a?includeObject=None`, { accept: TABLE }),
    about("an includeObject that is none", `${configMaps}/a?includeObject=Some`, { accept: TABLE }),
    about("an object as its metadata", `${configMaps}/a`, { accept: METADATA }),
    about("an object as a list of metadata", `${configMaps}/a`, { accept: METADATA_LIST }),
    about("a representation that nobody offers", `${configMaps}/a`, { accept: "text/html" }),
    about("a transformation that nobody offers", `${configMaps}/a`, {
      accept: "application/json;as=Poem;v=v1;g=meta.k8s.io",
    }),
    about("the best of several representations", `${configMaps}/a`, {
      accept: "text/html, application/yaml;q=0.5, */*;q=0.1",
    }),
    about("anything", `${configMaps}/a`, { accept: "*/*" }),
    about("pretty", `${configMaps}/a?pretty=true`),
    about("an object that is not there", `${configMaps}/not-there`),
    about("a resourceVersion that is none", `${configMaps}/a?resourceVersion=abc`),
    about("resourceVersion 0", `${configMaps}/a?resourceVersion=0`),
    about("a resourceVersion of the future", `${configMaps}/a?resourceVersion=999999999999`),
    about("a subresource that is not there", `${configMaps}/a/foo`),
    about("a watch of a named object is a read", `${configMaps}/a?watch=1`),
    about("with a slash at the end", `${configMaps}/a/`),
    about("a list with a slash at the end", `${configMaps}/`),
    about("a path with two slashes", `/api/v1//namespaces/{{ns}}/configmaps/a`),
    about("a name with a percent sign", `${configMaps}/a%20b`),
    about("a HEAD request", `${configMaps}/a`),
    { name: "an unknown group", steps: [read("/apis/not-there/v1/foo")] },
    { name: "an unknown version", steps: [read("/apis/apps/v9/deployments")] },
    { name: "an unknown resource", steps: [read("/api/v1/not-there")] },
    { name: "an unknown resource in a namespace", steps: [read("/api/v1/namespaces/default/not-there")] },
    { name: "an unknown path", steps: [read("/not-there")] },
    { name: "an unknown path below a known one", steps: [read("/version/not-there")] },
    { name: "a cluster-scoped resource in a namespace", steps: [read("/api/v1/namespaces/default/nodes")] },
    { name: "a namespace", steps: [read("/api/v1/namespaces/default")] },
    { name: "the namespace of the system", steps: [read("/api/v1/namespaces/kube-system")] },
    { name: "a namespace that is not there", steps: [read("/api/v1/namespaces/not-there")] },
    { name: "a list in a namespace that is not there", steps: [read("/api/v1/namespaces/not-there/configmaps")] },
    { name: "the Service of the API", steps: [read("/api/v1/namespaces/default/services/kubernetes")] },
    { name: "a method that is none", steps: [one, { method: "FOO", path: `${configMaps}/a` }] },
    { name: "OPTIONS", steps: [one, { method: "OPTIONS", path: `${configMaps}/a` }] },
    { name: "PUT at a list", steps: [one, { method: "PUT", path: configMaps, body: { metadata: { name: "a" } } }] },
    {
      name: "PATCH at a list",
      steps: [one, { method: "PATCH", path: configMaps, body: {}, type: "application/merge-patch+json" }],
    },
  ],
};
