import { badRequest, getPath, quote } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject, ListMeta } from "@gatewright/kube";
import type { TableColumns } from "../resources/resource.ts";

/** How much of each object rides along in a Table. */
export type IncludeObject = "None" | "Metadata" | "Object";

export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.get("includeObject") ?? "";
  if (asked === "" || asked === "Metadata") return "Metadata";
  if (asked === "None" || asked === "Object") return asked;
  const why = `Invalid value: ${quote(asked)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

export interface TableShape {
  readonly columns: TableColumns;
  readonly metaVersion: string;
  readonly include: IncludeObject;
  readonly now: number;
}

export function partialMetadata(object: KubeObject, metaVersion: string): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: storedMetadata(object),
  };
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/**
 * The real server takes metadata from its own form of an object, which is of no version. There the one annotation that
 * apps/v1 has in place of a field is not to be seen.
 */
function storedMetadata({ kind, apiVersion, metadata }: KubeObject): KubeObject["metadata"] {
  if (kind !== "DaemonSet" || apiVersion !== "apps/v1" || !metadata.annotations) return metadata;
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const { annotations: __, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...metadata, annotations };
}

export function tableRow(object: KubeObject, shape: TableShape): JsonObject {
  const conditions = shape.columns.conditions?.(object) ?? [];
  let included: Json = null;
  if (shape.include === "Object") included = object;
  if (shape.include === "Metadata") included = partialMetadata(object, shape.metaVersion);
  return {
    cells: shape.columns.cells(object, shape.now),
    ...(conditions.length > 0 && { conditions }),
    object: included,
  };
}

function definitions({ columns }: TableShape, shown: boolean): Json {
  return shown ? columns.definitions.map((definition) => ({ ...definition })) : null;
}

/** A meta.k8s.io Table. Without `withColumns` the definitions are null, as in all but the first event of a watch. */
export function table(
  objects: Iterable<KubeObject>,
  metadata: ListMeta,
  shape: TableShape,
  withColumns = true,
): JsonObject {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${shape.metaVersion}`,
    metadata,
    columnDefinitions: definitions(shape, withColumns),
    rows: Array.from(objects, (object) => tableRow(object, shape)),
  };
}

/** The row of a bookmark: the cells of an object that has nothing, and metadata that carries the revision. */
export function bookmarkTable(object: KubeObject, shape: TableShape, withColumns: boolean): JsonObject {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${shape.metaVersion}`,
    metadata: { resourceVersion: getPath(object.metadata, "resourceVersion") ?? "" },
    columnDefinitions: definitions(shape, withColumns),
    rows: [{ cells: shape.columns.cells(object, shape.now), object: partialMetadata(object, shape.metaVersion) }],
  };
}
