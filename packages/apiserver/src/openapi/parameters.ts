import type { JsonObject } from "@gatewright/kube";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "boolean" | "integer";
}

const query = (name: string, type: Parameter["type"] = "string"): Parameter => ({ name, in: "query", type });

const pretty = query("pretty");
const path = (name: string): Parameter => ({ name, in: "path", type: "string" });

const dryRun = query("dryRun");
const resourceVersion = query("resourceVersion");

/** What collections may be narrowed and paged by. */
const selection: readonly Parameter[] = [
  query("continue"),
  query("fieldSelector"),
  query("labelSelector"),
  query("limit", "integer"),
  resourceVersion,
  query("resourceVersionMatch"),
  query("sendInitialEvents", "boolean"),
  query("timeoutSeconds", "integer"),
];
const list: readonly Parameter[] = [query("allowWatchBookmarks", "boolean"), ...selection, query("watch", "boolean")];
const write: readonly Parameter[] = [dryRun, query("fieldManager"), query("fieldValidation")];
const remove: readonly Parameter[] = [
  dryRun,
  query("gracePeriodSeconds", "integer"),
  query("orphanDependents", "boolean"),
  query("propagationPolicy"),
];

/** What can be done at a path, as `x-kubernetes-action` has it. */
export type Action = "get" | "list" | "post" | "put" | "patch" | "delete" | "deletecollection";

/** The parameters of each action, besides those that the path brings. */
export const actionParameters: Readonly<Record<Action, readonly Parameter[]>> = {
  get: [],
  list,
  post: write,
  put: write,
  patch: [...write, query("force", "boolean")],
  delete: remove,
  deletecollection: [...selection, ...remove],
};

/** The parameters that every operation on a path has: the path's own, and `pretty`. */
export function pathParameters(template: string): readonly Parameter[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => path(name!));
  return byName([...names, pretty]);
}

/** Parameters in the order in which documents list them. */
export function byName(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A parameter as OpenAPI v3 writes it. */
export function parameterV3({ name, in: place, type }: Parameter): JsonObject {
  return { name, in: place, ...(place === "path" && { required: true }), schema: { type, uniqueItems: true } };
}

/** A parameter as OpenAPI v2 writes it. */
export function parameterV2({ name, in: place, type }: Parameter): JsonObject {
  return { name, in: place, ...(place === "path" && { required: true }), type, uniqueItems: true };
}
