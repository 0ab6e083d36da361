import type { ResourceRegistry } from "../resources/registry.ts";
import type { Resource } from "../resources/resource.ts";

/**
 * Calls `start` once for the table of each chosen resource, now and when resources are added later, and the function that it
 * returned when the resource is no longer served. The returned function ends everything.
 */
export function followResources(
  registry: ResourceRegistry,
  choose: (resource: Resource) => boolean,
  start: (resource: Resource) => () => void,
): () => void {
  const followed = new Map<string, () => void>();
  const sync = (): void => {
    const wanted = new Map<string, Resource>();
    for (const resource of registry.all()) {
      if (!wanted.has(resource.table) && choose(resource)) wanted.set(resource.table, resource);
    }
    for (const [table, end] of followed) {
      if (wanted.has(table)) continue;
      followed.delete(table);
      end();
    }
    for (const [table, resource] of wanted) if (!followed.has(table)) followed.set(table, start(resource));
  };
  sync();
  const unsubscribe = registry.onChange(sync);
  return () => {
    unsubscribe();
    for (const end of followed.values()) end();
    followed.clear();
  };
}
