import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import type { Cache, CacheChange, CacheReader, Informer } from "../cache/informer.ts";
import { LOW_PRIORITY } from "../queue/queue.ts";
import { controllerOwner } from "./controller-owner.ts";
import type { ControllerDefinition, Predicate } from "./definition.ts";

const RESYNC_MS = 36_000_000;

/** Puts the key of an object of the controller into its queue. */
export type Enqueue = (key: ObjectKey, priority: number) => void;

/** The kinds that a controller watches, asked of the cache. */
export interface Sources<T extends ApiObject> {
  /** Its own objects. */
  readonly own: Informer<T>;
  /** Resolves when every kind is wholly in the cache. */
  whenSynced(signal: AbortSignal): Promise<void>;
  /**
   * Enqueues what changes concern. What is in the cache already has been enqueued when this returns. A map or predicate that throws
   * is reported and costs its own change only. Returns how to stop.
   */
  subscribe(enqueue: Enqueue, report: (resource: Resource, error: unknown) => void): () => void;
  /** Throws for a kind that is not watched. */
  cached<U extends ApiObject>(resource: Resource<U>): CacheReader<U>;
}

/** One watched kind, and how its changes lead to objects of the controller. */
interface Route {
  readonly informer: Informer<ApiObject>;
  readonly when: Predicate<ApiObject>;
  readonly map: (object: Immutable<ApiObject>) => readonly ObjectRef[];
  /** Of the controller's own kind: looked at anew at a resync though nothing changed. */
  readonly own: boolean;
}

/** Asks the cache for every kind of a definition, with its indexes, so that they are warm before the controller runs. */
export function openSources<T extends ApiObject>(definition: ControllerDefinition<T>, cache: Cache): Sources<T> {
  const own = cache.informer(definition.for, definition.scope);
  for (const [name, index] of Object.entries(definition.indexes ?? {})) own.addIndex(name, index);
  const namespace = definition.scope?.namespace;
  const inScope = namespace === undefined ? undefined : { namespace };
  const routes: Route[] = [
    {
      informer: own,
      // Only ever called with objects of its own informer, whose type is T.
      when: (definition.when ?? always) as Predicate<ApiObject>,
      map: (object) => [refOfObject(object)],
      own: true,
    },
  ];
  for (const resource of definition.owns ?? []) {
    const map = (object: Immutable<ApiObject>): readonly ObjectRef[] => {
      const owner = controllerOwner(object, definition.for);
      return owner === undefined ? [] : [owner];
    };
    routes.push({ informer: cache.informer(resource, inScope), when: always, map, own: false });
  }
  for (const { resource, scope, indexes, when, map } of definition.watches ?? []) {
    const informer = cache.informer(resource, scope);
    for (const [name, index] of Object.entries(indexes)) informer.addIndex(name, index);
    routes.push({ informer, when, map, own: false });
  }
  const readers = new Map<string, Informer<ApiObject>>();
  for (const { informer } of routes) {
    const kind = kindName(informer.resource);
    if (!readers.has(kind)) readers.set(kind, informer);
  }
  return {
    own,
    async whenSynced(signal) {
      await Promise.all(routes.map((route) => route.informer.whenSynced(signal)));
    },
    subscribe(enqueue, report) {
      const leave = routes.map((route) =>
        route.informer.subscribe(
          (change) => {
            try {
              follow(route, change, enqueue);
            } catch (error) {
              report(route.informer.resource, error);
            }
          },
          route.own ? { resyncMs: definition.resyncMs ?? RESYNC_MS } : {},
        ),
      );
      return () => leave.forEach((stop) => stop());
    },
    cached<U extends ApiObject>(resource: Resource<U>) {
      const informer = readers.get(kindName(resource));
      if (informer === undefined) {
        throw new TypeError(
          `controller ${definition.name} does not watch ${resource.kind}: add it to its watches, or read it with client`,
        );
      }
      return informer as unknown as CacheReader<U>; // the informer was asked for with this very resource
    },
  };
}

function follow(route: Route, change: CacheChange<ApiObject>, enqueue: Enqueue): void {
  const put = (object: Immutable<ApiObject>, priority: number): void => {
    for (const ref of route.map(object)) enqueue(keyOf(ref), priority);
  };
  switch (change.type) {
    case "added":
      if (route.when(change.object, undefined)) put(change.object, change.initial ? LOW_PRIORITY : 0);
      break;
    case "updated":
      if (!route.when(change.object, change.previous)) break;
      put(change.object, 0);
      if (!route.own) put(change.previous, 0);
      break;
    case "deleted":
      if (route.when(undefined, change.object)) put(change.object, 0);
      break;
    case "resynced":
      if (route.own) put(change.object, LOW_PRIORITY);
  }
}

const always = (): boolean => true;

function refOfObject({ metadata: { namespace, name = "" } }: Immutable<ApiObject>): ObjectRef {
  return namespace === undefined ? { name } : { namespace, name };
}

function kindName({ group, version, kind }: Resource): string {
  return `${group}/${version}/${kind}`;
}
