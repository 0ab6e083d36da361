import { createHash } from "node:crypto";
import { formatGroupVersion } from "@gatewright/kube";
import type { GroupVersion, JsonObject } from "@gatewright/kube";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { Resource } from "../resources/resource.ts";
import { documentV2 } from "./document-v2.ts";
import { groupDocument } from "./group-document.ts";
import { protobufV2 } from "./protobuf-v2.ts";

/** A document in its final bytes. The hash names this content and no other: clients keep it on disk under that name. */
export interface PreparedDocument {
  readonly body: Buffer;
  readonly hash: string;
}

interface Group {
  readonly gv: GroupVersion;
  readonly resources: readonly Resource[];
  document?: PreparedDocument;
}

/**
 * The OpenAPI documents of a registry, made when first asked for. A change of one resource makes anew only the document
 * of its group version.
 */
export class OpenapiDocuments {
  readonly #registry: ResourceRegistry;
  #madeFor = -1;
  #groups = new Map<string, Group>();
  #v2: PreparedDocument | undefined;
  #v2Protobuf: PreparedDocument | undefined;
  #index: Buffer | undefined;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** `GET /openapi/v3`: where the document of each group version is, by a URL that changes with its content. */
  index(): Buffer {
    this.#refresh();
    if (!this.#index) {
      const paths: JsonObject = {};
      for (const [path, group] of [...this.#groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
        paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#prepared(group).hash}` };
      }
      this.#index = Buffer.from(JSON.stringify({ paths }));
    }
    return this.#index;
  }

  /** The v3 document at `api/v1` or `apis/{group}/{version}`, or undefined where nothing is served there. */
  group(path: string): PreparedDocument | undefined {
    this.#refresh();
    const group = this.#groups.get(path);
    return group && this.#prepared(group);
  }

  v2(): PreparedDocument {
    this.#refresh();
    return (this.#v2 ??= prepare(documentV2(this.#groups)));
  }

  /** The document of `v2` in protobuf. It has the same hash, as on the real server: answers vary by Accept. */
  v2Protobuf(): PreparedDocument {
    const { body, hash } = this.v2();
    return (this.#v2Protobuf ??= { body: protobufV2(JSON.parse(body.toString()) as JsonObject), hash });
  }

  #prepared(group: Group): PreparedDocument {
    return (group.document ??= prepare(groupDocument(group.gv, group.resources)));
  }

  #refresh(): void {
    if (this.#madeFor === this.#registry.version) return;
    const groups = new Map<string, Group>();
    for (const [path, group] of groupVersions(this.#registry)) {
      const before = this.#groups.get(path);
      groups.set(path, before && sameResources(before.resources, group.resources) ? before : group);
    }
    this.#groups = groups;
    this.#v2 = undefined;
    this.#v2Protobuf = undefined;
    this.#index = undefined;
    this.#madeFor = this.#registry.version;
  }
}

function groupVersions(registry: ResourceRegistry): Map<string, Group & { resources: Resource[] }> {
  const groups = new Map<string, Group & { resources: Resource[] }>();
  for (const resource of registry.all()) {
    for (const { version } of resource.versions) {
      const gv = { group: resource.group, version };
      const path = resource.group === "" ? `api/${version}` : `apis/${formatGroupVersion(gv)}`;
      const group = groups.get(path);
      if (group) group.resources.push(resource);
      else groups.set(path, { gv, resources: [resource] });
    }
  }
  return groups;
}

function sameResources(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a.length === b.length && a.every((resource, at) => resource === b[at]);
}

function prepare(document: JsonObject): PreparedDocument {
  const body = Buffer.from(JSON.stringify(document));
  return { body, hash: createHash("sha512").update(body).digest("hex").toUpperCase() };
}
