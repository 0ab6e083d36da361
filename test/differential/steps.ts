import type { Case, Step } from "./case.ts";

type Extra = Omit<Partial<Step>, "method" | "path" | "body">;

export const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
export const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
export const METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/** Where objects of a resource are in the namespace of the case: `("apps/v1", "deployments")`. */
export function inNamespace(groupVersion: string, resource: string): string {
  return `${groupVersion === "v1" ? "/api" : "/apis"}/${groupVersion}/namespaces/{{ns}}/${resource}`;
}

export const configMaps = inNamespace("v1", "configmaps");

export const read = (path: string, extra: Extra = {}): Step => ({ method: "GET", path, ...extra });
export const create = (path: string, body: unknown, extra: Extra = {}): Step => ({
  method: "POST",
  path,
  body,
  ...extra,
});
export const replace = (path: string, body: unknown, extra: Extra = {}): Step => ({
  method: "PUT",
  path,
  body,
  ...extra,
});
export const remove = (path: string, body?: unknown, extra: Extra = {}): Step => ({
  method: "DELETE",
  path,
  ...(body !== undefined && { body }),
  ...extra,
});

const patch =
  (type: string) =>
  (path: string, body: unknown, extra: Extra = {}): Step => ({ method: "PATCH", path, body, type, ...extra });
export const mergePatch = patch("application/merge-patch+json");
export const jsonPatch = patch("application/json-patch+json");
export const strategicPatch = patch("application/strategic-merge-patch+json");
const applyPatch = patch("application/apply-patch+yaml");

/** Server-side apply as a manager. */
export const apply = (path: string, manager: string, body: unknown, force = false): Step =>
  applyPatch(`${path}${path.includes("?") ? "&" : "?"}fieldManager=${manager}${force ? "&force=true" : ""}`, body);
/** Server-side apply with exactly this query. */
export const rawApply = applyPatch;

/** Collects that many events while the next steps run. */
export const watch = (path: string, events: number, extra: Extra = {}): Step =>
  read(`${path}${path.includes("?") ? "&" : "?"}watch=1`, { events, ...extra });

/** One case for each object that is created: by the name of the case. */
export function created(path: string, bodies: Readonly<Record<string, unknown>>): Case[] {
  return Object.entries(bodies).map(([name, body]) => ({ name, steps: [create(path, body)] }));
}
