import type { Swagger } from "./swagger.ts";

/** A kind that has a URL of its own. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** `/api/v1/namespaces/{namespace}/configmaps`: a collection. What stands below an object's name is not one. */
const COLLECTION =
  /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?<namespaced>namespaces\/\{namespace\}\/)?(?<plural>[a-z][a-z0-9]*)$/;

/** The kinds with collections, by the name of their definition. */
export function servedKinds(swagger: Swagger): ReadonlyMap<string, ServedKind> {
  const definitions = new Map<string, string>();
  for (const [name, { "x-kubernetes-group-version-kind": kinds }] of Object.entries(swagger.definitions)) {
    if (kinds?.length === 1)
      definitions.set(JSON.stringify([kinds[0]!.group, kinds[0]!.version, kinds[0]!.kind]), name);
  }
  const found = new Map<string, ServedKind>();
  for (const [path, operations] of Object.entries(swagger.paths)) {
    const { plural, namespaced } = COLLECTION.exec(path)?.groups ?? {};
    const operation = operations["post"] ?? operations["get"];
    const gvk = operation?.["x-kubernetes-group-version-kind"];
    if (plural === undefined || !gvk || !["post", "list"].includes(operation?.["x-kubernetes-action"] ?? "")) continue;
    const definition = definitions.get(JSON.stringify([gvk.group, gvk.version, gvk.kind]));
    if (definition === undefined) throw new Error(`${path} has no definition`);
    const { group, version, kind } = gvk;
    const before = found.get(definition);
    if (before && before.plural !== plural) throw new Error(`${kind} is served as ${before.plural} and ${plural}`);
    // A namespaced kind has a second collection: of all namespaces.
    const inNamespace = namespaced !== undefined || before?.namespaced === true;
    found.set(definition, { group, version, kind, plural, namespaced: inNamespace });
  }
  return found;
}
