import type { GroupVersionKind } from "@gatewright/kube";
import type { Resource, ServedVersion, Subresource } from "../resources/resource.ts";
import { actionParameters, byName } from "./parameters.ts";
import type { Action, Parameter } from "./parameters.ts";
import { groupIdentifier, schemaName, schemaNameOf } from "./schema-name.ts";

/** One method on one path, free of either OpenAPI version. */
export interface Operation {
  readonly path: string;
  readonly method: "get" | "put" | "post" | "delete" | "patch";
  readonly id: string;
  readonly description: string;
  readonly action: Action;
  readonly gvk: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  /** Media types of the body, and the name of its schema. */
  readonly body: { readonly types: readonly string[]; readonly schema: string; readonly required: boolean } | undefined;
  readonly responses: readonly { readonly code: string; readonly text: string; readonly schema: string }[];
  readonly produces: readonly string[];
}

const STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
const DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
const PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";

const texts = { "200": "OK", "201": "Created", "202": "Accepted" } as const;

type Code = keyof typeof texts;

/** What an action is called, in which words, and which answers it has. */
const actions: Readonly<Record<Action, { method: Operation["method"]; word: string; codes: readonly Code[] }>> = {
  get: { method: "get", word: "read", codes: ["200"] },
  list: { method: "get", word: "list", codes: ["200"] },
  post: { method: "post", word: "create", codes: ["200", "201", "202"] },
  put: { method: "put", word: "replace", codes: ["200", "201"] },
  patch: { method: "patch", word: "patch", codes: ["200", "201"] },
  delete: { method: "delete", word: "delete", codes: ["200", "202"] },
  deletecollection: { method: "delete", word: "delete", codes: ["200"] },
};

/** What can be done with one object. */
const OF_ONE: readonly Action[] = ["get", "put", "patch", "delete"];

/** All operations on a resource in one version, subresources included. */
export function operationsOf(resource: Resource, version: ServedVersion): Operation[] {
  const root = resource.group === "" ? `/api/${version.version}` : `/apis/${resource.group}/${version.version}`;
  const inNamespace = resource.namespaced ? `${root}/namespaces/{namespace}/` : `${root}/`;
  const collection = `${inNamespace}${resource.resource}`;
  const maker = new OperationMaker(resource, version);
  const found: (Operation | undefined)[] = [
    maker.make(collection, "list"),
    maker.make(collection, "post"),
    maker.make(collection, "deletecollection"),
    resource.namespaced ? maker.make(`${root}/${resource.resource}`, "list") : undefined,
    ...OF_ONE.map((action) => maker.make(`${collection}/{name}`, action)),
  ];
  for (const [name, subresource] of version.subresources) {
    if (subresource.type === "connect") continue; // no generated client of the documents here connects
    const path = `${collection}/{name}/${name}`;
    for (const action of subresourceActions(name, subresource)) found.push(maker.sub(path, action, name, subresource));
  }
  return found.filter((operation) => operation !== undefined);
}

function subresourceActions(name: string, { type }: Subresource): readonly Action[] {
  if (type === "action") return ["post"];
  return name === "finalize" ? ["put"] : ["get", "put", "patch"];
}

/** The verb of an action, where it is not called the same. */
const verbOf: Partial<Record<Action, string>> = { post: "create", put: "update" };

class OperationMaker {
  readonly #resource: Resource;
  readonly #version: ServedVersion;
  readonly #own: string;
  readonly #list: string;
  readonly #gvk: GroupVersionKind;

  constructor(resource: Resource, version: ServedVersion) {
    this.#resource = resource;
    this.#version = version;
    this.#gvk = { group: resource.group, version: version.version, kind: resource.kind };
    this.#own = schemaNameOf(resource, version.version);
    this.#list = schemaName({ ...this.#gvk, kind: resource.listKind });
  }

  make(path: string, action: Action): Operation | undefined {
    const { kind, namespaced, verbs, strategy } = this.#resource;
    if (!verbs.includes(verbOf[action] ?? action)) return undefined;
    const everywhere = namespaced && action === "list" && !path.includes("{namespace}");
    const scope = namespaced && !everywhere ? "Namespaced" : "";
    const collection = action === "deletecollection" ? "Collection" : "";
    const name = `${collection}${scope}${kind}${everywhere ? "ForAllNamespaces" : ""}`;
    const answersStatus = action === "deletecollection" || (action === "delete" && !strategy.returnsDeletedObject);
    const schema = action === "list" ? this.#list : answersStatus ? STATUS : this.#own;
    return this.#operation({ path, action, name, description: describe(action, kind), gvk: this.#gvk, schema });
  }

  sub(path: string, action: Action, name: string, subresource: Subresource): Operation {
    const { kind, namespaced, custom } = this.#resource;
    const body =
      subresource.type === "action" ? subresource.kind : { group: "autoscaling", version: "v1", kind: "Scale" };
    const schema = subresource.type === "object" ? this.#own : schemaName(body);
    // The real server names the body's kind for built-in subresources, and the resource's own for custom ones.
    const gvk = subresource.type === "object" || custom ? this.#gvk : body;
    const id = `${namespaced ? "Namespaced" : ""}${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return this.#operation({ path, action, name: id, description: describe(action, kind, name), gvk, schema });
  }

  #operation(parts: {
    readonly path: string;
    readonly action: Action;
    readonly name: string;
    readonly description: string;
    readonly gvk: GroupVersionKind;
    readonly schema: string;
  }): Operation {
    const { path, action, name, description, gvk, schema } = parts;
    const { method, word, codes } = actions[action];
    const { custom } = this.#resource;
    const media = custom
      ? ["application/json", "application/yaml"]
      : ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"];
    const streams = action === "list" && !custom ? media.slice(0, 2).map((type) => `${type};stream=watch`) : [];
    const given: readonly Code[] = custom && action === "patch" ? ["200"] : codes;
    return {
      path,
      method,
      id: `${word}${groupIdentifier(this.#gvk.group)}${capital(this.#version.version)}${name}`,
      description,
      action,
      gvk,
      parameters: byName(actionParameters[action]),
      body: this.#body(action, schema, media),
      responses: given.map((code) => ({ code, text: texts[code], schema })),
      produces: [...media, ...streams].sort(),
    };
  }

  #body(action: Action, schema: string, media: readonly string[]): Operation["body"] {
    const types = this.#resource.custom ? media : ["*/*"];
    if (action === "post" || action === "put") return { types, schema, required: true };
    if (action === "patch") {
      const strategic = this.#resource.strategicMerge ? ["application/strategic-merge-patch+json"] : [];
      const patches = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
      return { types: [...patches, ...strategic], schema: PATCH, required: true };
    }
    if (action === "delete" || (action === "deletecollection" && !this.#resource.custom)) {
      return { types, schema: DELETE_OPTIONS, required: false };
    }
    return undefined;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describe(action: Action, kind: string, subresource?: string): string {
  const of = subresource === undefined ? "" : `${subresource} of `;
  switch (action) {
    case "list":
      return `list or watch objects of kind ${kind}`;
    case "post":
      return subresource === undefined ? `create a ${kind}` : `create ${subresource} of a ${kind}`;
    case "delete":
      return `delete a ${kind}`;
    case "deletecollection":
      return `delete collection of ${kind}`;
    case "patch":
      return `partially update ${of}the specified ${kind}`;
    case "put":
      return `replace ${of}the specified ${kind}`;
    case "get":
      return `read ${of}the specified ${kind}`;
  }
}
