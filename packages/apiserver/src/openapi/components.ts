import { builtinDefinition, isObject } from "@gatewright/kube";
import type { GroupVersion, Json, JsonObject } from "@gatewright/kube";

const PREFIX = "#/components/schemas/";

/** Definitions that every group has as a kind of its own. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent",
]);

/**
 * The schemas by name, with every built-in definition that they and `names` lead to, sorted by name. `own` are schemas
 * that are not built in.
 */
export function schemaComponents(
  gv: GroupVersion,
  names: Iterable<string>,
  own: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const found = new Map<string, JsonObject>(own);
  const waiting = [...names];
  for (const schema of own.values()) collectReferences(schema, waiting);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const schema = builtinDefinition(name);
    if (!schema) continue; // a default value of a custom resource may look like a reference
    if (EVERYWHERE.has(name) && gv.group !== "") addKind(schema, gv);
    found.set(name, schema);
    collectReferences(schema, waiting);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addKind(schema: JsonObject, { group, version }: GroupVersion): void {
  const kinds = schema["x-kubernetes-group-version-kind"] as JsonObject[];
  kinds.push({ group, kind: kinds[0]!["kind"]!, version });
}

function collectReferences(value: Json, into: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectReferences(item, into);
  } else if (isObject(value)) {
    const reference = value["$ref"];
    if (typeof reference === "string" && reference.startsWith(PREFIX)) into.push(reference.slice(PREFIX.length));
    for (const child of Object.values(value)) if (typeof child === "object") collectReferences(child, into);
  }
}
