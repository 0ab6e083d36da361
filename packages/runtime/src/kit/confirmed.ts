import { keyOf, refOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import type { ReconcileContext } from "../controller/definition.ts";

/** The cache shows an older version of an object than the server has. Once it has caught up there is another run. */
export class OutdatedObjectError extends Error {
  constructor(resource: Resource, ref: ObjectRef) {
    super(`${resource.kind} ${keyOf(ref)} was changed or deleted, and the cache does not show it yet`);
    this.name = "OutdatedObjectError";
  }
}

/** Versions of objects that the server is known to have had while this process leads: it wrote them, or read them live. */
export interface Confirmed<T extends ApiObject> {
  wrote(object: Immutable<T>): void;
  /** Rejects with {@link OutdatedObjectError} when the server has another version. Asks it once for each. */
  confirm(context: Pick<ReconcileContext<T>, "client" | "signal">, object: Immutable<T>): Promise<void>;
  /** It is gone; or a run of it failed: a write may have been refused, or done without an answer, and there is a newer version then. */
  forget(key: ObjectKey): void;
  /** Somebody else may have led meanwhile. */
  clear(): void;
}

/**
 * Before something is asked of another system for an object: a process that has just begun to lead may have an old cache, and would
 * make things for what is gone or was decided otherwise. What this process wrote itself needs no question. Needs access to `get`.
 */
export function createConfirmed<T extends ApiObject>(resource: Resource<T>): Confirmed<T> {
  const versions = new Map<ObjectKey, string>();
  const wrote = (object: Immutable<T>): void => {
    versions.set(keyOf(object), versionOf(object));
  };
  return {
    wrote,
    forget: (key) => void versions.delete(key),
    clear: () => versions.clear(),
    async confirm({ client, signal }, object) {
      const key = keyOf(object);
      if (versions.get(key) === versionOf(object)) return;
      const ref = refOf(key);
      const live = await client.for(resource).find(ref, { signal });
      if (live === undefined || versionOf(live) !== versionOf(object)) throw new OutdatedObjectError(resource, ref);
      wrote(live);
    },
  };
}

function versionOf({ metadata: { uid, resourceVersion } }: Immutable<ApiObject>): string {
  return `${uid} ${resourceVersion}`;
}
