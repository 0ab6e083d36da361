import type { ApiObject, Immutable, ObjectKey, Resource } from "@gatewright/kube";
import { formatGroupResource } from "@gatewright/kube";
import type { CacheReader } from "../../cache/informer.ts";
import type { ControllerDefinition } from "../../controller/definition.ts";

/** Where a program tells what the world cannot see from outside. */
export interface Probe {
  /** Work on a key begins. Returns how to tell that it has ended. */
  begin(controller: string, key: ObjectKey): () => void;
  /** The program's cache showed this version of an object. */
  read(table: string, object: Immutable<ApiObject>): void;
}

/** The same controller, telling a probe of each run and of what its cache shows. */
export function probed<T extends ApiObject>(
  probe: Probe,
  definition: ControllerDefinition<T>,
): ControllerDefinition<T> {
  return {
    ...definition,
    async reconcile(context) {
      const end = probe.begin(definition.name, context.key);
      if (context.object !== undefined) probe.read(tableOf(definition.for), context.object as Immutable<ApiObject>);
      try {
        return await definition.reconcile({
          ...context,
          cached: (resource) => probedReader(probe, tableOf(resource), context.cached(resource)),
        });
      } finally {
        end();
      }
    },
  };
}

function probedReader<T extends ApiObject>(probe: Probe, table: string, reader: CacheReader<T>): CacheReader<T> {
  const tell = (object: Immutable<T>): void => probe.read(table, object as Immutable<ApiObject>);
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
