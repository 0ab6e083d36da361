import { builtinType, typeOfDefinition } from "@gatewright/kube";
import type { GroupVersionKind, JsonObject } from "@gatewright/kube";
import type { Resource, ServedVersion, Strategy, Subresource } from "../../resources/resource.ts";
import { STORED_VERBS } from "../../resources/verbs.ts";

export interface SampleResource {
  readonly group: string;
  readonly versions: readonly string[];
  readonly resource: string;
  readonly singular?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly table?: string;
  readonly storageVersion?: string;
  /** Subresources: `object`, `scale`, or the kind of an action's body. */
  readonly subresources?: Readonly<Record<string, "object" | "scale" | GroupVersionKind>>;
  /** The published schema of a custom resource; its absence makes the resource a built-in one. */
  readonly openapi?: JsonObject;
  /** A kind that is answered and not stored. */
  readonly review?: boolean;
}

const unused = (): never => {
  throw new Error("documents do not touch objects");
};

/** A resource with what documents about it need. Its objects cannot be touched. */
export function sampleResource(sample: SampleResource): Resource {
  const subresources = new Map<string, Subresource>();
  for (const [name, body] of Object.entries(sample.subresources ?? {})) subresources.set(name, subresource(body));
  const versions = sample.versions.map((version): ServedVersion => ({
    version,
    type: builtinType(sample.group, version, sample.kind) ?? typeOfDefinition("meta.v1.ObjectMeta"),
    decode: unused,
    normalize: unused,
    columns: { definitions: [], cells: unused },
    subresources,
    ...(sample.openapi && { openapi: sample.openapi }),
  }));
  return {
    group: sample.group,
    resource: sample.resource,
    singular: sample.singular ?? sample.kind.toLowerCase(),
    kind: sample.kind,
    listKind: `${sample.kind}List`,
    namespaced: sample.namespaced,
    shortNames: sample.shortNames ?? [],
    categories: sample.categories ?? [],
    versions,
    storageVersion: sample.storageVersion ?? sample.versions[0]!,
    table: sample.table ?? `${sample.resource}.${sample.group}`,
    verbs: sample.verbs ?? STORED_VERBS,
    strategy: {} as Strategy,
    strategicMerge: sample.openapi === undefined,
    custom: sample.openapi !== undefined,
    convert: unused,
    servesStoredBytes: unused,
    ...(sample.review === true && { review: unused }),
  };
}

function subresource(body: "object" | "scale" | GroupVersionKind): Subresource {
  if (body === "object") return { type: "object", prepareForUpdate: unused, validateUpdate: unused, resetFields: [] };
  if (body !== "scale") return { type: "action", kind: body, create: unused };
  return { type: "scale", specReplicasPath: [], statusReplicasPath: [], selector: unused, strict: false };
}
