import type { ApiObject, Immutable, ObjectKey, Resource } from "@gatewright/kube";
import { formatGroupResource } from "@gatewright/kube";
import type { CacheReader, CacheScope } from "../../cache/informer.ts";
import type { ControllerDefinition } from "../../controller/definition.ts";
import type { Manager } from "../../manager/manager.ts";

/** Where a program tells what the world cannot see from outside. */
export interface Probe {
  /** Work on a key begins. Returns how to tell that it has ended, and whether it failed and is to be tried again. */
  begin(controller: string, key: ObjectKey): (failed: boolean) => void;
  /** The program's cache showed this version of an object. */
  read(table: string, object: Immutable<ApiObject>): void;
  /** A cache of a table, or of one namespace of it: when the world is at rest it must hold what the server has. */
  holds(table: string, namespace: string | undefined, list: () => readonly Immutable<ApiObject>[]): void;
}

/** Adds a controller to a manager so that a probe is told of its runs and of all that its caches hold. */
export function addProbed<T extends ApiObject>(
  probe: Probe,
  manager: Pick<Manager, "add" | "cache">,
  definition: ControllerDefinition<T>,
): void {
  manager.add(probed(probe, definition));
  const kinds: readonly { readonly resource: Resource; readonly scope: CacheScope }[] = [
    { resource: definition.for, scope: definition.scope ?? {} },
    ...(definition.owns ?? []).map((resource) => ({ resource, scope: namespaceOf(definition.scope) })),
    ...(definition.watches ?? []),
  ];
  for (const { resource, scope } of kinds) {
    if (scope.labelSelector !== undefined || scope.fieldSelector !== undefined) continue;
    const informer = manager.cache.informer(resource, scope);
    probe.holds(tableOf(resource), scope.namespace, () => informer.list());
  }
}

function namespaceOf(scope: CacheScope | undefined): CacheScope {
  return scope?.namespace === undefined ? {} : { namespace: scope.namespace };
}

/** The same controller, telling a probe of each run and of what its cache shows. */
export function probed<T extends ApiObject>(
  probe: Probe,
  definition: ControllerDefinition<T>,
): ControllerDefinition<T> {
  /** A cache of metadata is another one than that of whole objects, and may be behind it. */
  const metadata = new Set(
    (definition.watches ?? []).flatMap(({ resource, scope }) =>
      scope.metadataOnly === true ? [tableOf(resource)] : [],
    ),
  );
  const cacheOf = (resource: Resource): string => {
    const table = tableOf(resource);
    return metadata.has(table) ? `metadata of ${table}` : table;
  };
  return {
    ...definition,
    async reconcile(context) {
      const end = probe.begin(definition.name, context.key);
      if (context.object !== undefined) probe.read(tableOf(definition.for), context.object);
      let failed = true;
      try {
        const outcome = await definition.reconcile({
          ...context,
          cached: (resource) => probedReader(probe, cacheOf(resource), context.cached(resource)),
        });
        failed = outcome.kind === "retry";
        return outcome;
      } finally {
        end(failed);
      }
    },
  };
}

function probedReader<T extends ApiObject>(probe: Probe, table: string, reader: CacheReader<T>): CacheReader<T> {
  const tell = (object: Immutable<T>): void => probe.read(table, object);
  const told = (objects: readonly Immutable<T>[]): readonly Immutable<T>[] => {
    for (const object of objects) tell(object);
    return objects;
  };
  return {
    get(ref) {
      const object = reader.get(ref);
      if (object !== undefined) tell(object);
      return object;
    },
    list: (filter) => told(reader.list(filter)),
    byIndex: (index, value) => told(reader.byIndex(index, value)),
  };
}

function tableOf(resource: Resource): string {
  return formatGroupResource({ group: resource.group, resource: resource.plural });
}
