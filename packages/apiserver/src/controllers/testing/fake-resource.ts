import { formatGroupResource } from "@gatewright/kube";
import type { KubeObject, ObjectType } from "@gatewright/kube";
import { plainStrategy } from "../../resources/plain-strategy.ts";
import type { Resource, ServedVersion, Strategy } from "../../resources/resource.ts";
import { STORED_VERBS } from "../../resources/verbs.ts";

const anything: ObjectType = {
  kind: "object",
  mode: "granular",
  field: () => undefined,
  fieldNames: () => [],
  elements: undefined,
  preserveUnknown: true,
};

export interface FakeResourceOptions {
  readonly group?: string;
  readonly versions?: readonly string[];
  readonly namespaced?: boolean;
  readonly verbs?: readonly string[];
  readonly strategy?: Partial<Strategy>;
}

/** A resource that takes any object and validates nothing. `Pod` makes `pods`. */
export function fakeResource(kind: string, options: FakeResourceOptions = {}): Resource {
  const { group = "", versions = ["v1"], namespaced = true } = options;
  const lower = kind.toLowerCase();
  const resource = lower.endsWith("s") ? `${lower}es` : lower.endsWith("y") ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  const prefix = group === "" ? "" : `${group}/`;
  const served = (version: string): ServedVersion => ({
    version,
    type: anything,
    decode: (body) => ({ object: body as unknown as KubeObject, problems: [] }),
    normalize: (object) => object,
    columns: { definitions: [], cells: () => [] },
    subresources: new Map(),
  });
  return {
    group,
    resource,
    singular: lower,
    kind,
    listKind: `${kind}List`,
    namespaced,
    shortNames: [],
    categories: [],
    versions: versions.map(served),
    storageVersion: versions[0]!,
    table: formatGroupResource({ group, resource }),
    verbs: options.verbs ?? STORED_VERBS,
    strategy: { ...plainStrategy, ...options.strategy },
    strategicMerge: false,
    custom: group !== "",
    convert: (objects, version) => objects.map((object) => ({ ...object, apiVersion: `${prefix}${version}` })),
    servesStoredBytes: () => true,
  };
}
