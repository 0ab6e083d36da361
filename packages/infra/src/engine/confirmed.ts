import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { ReconcileContext } from "@gatewright/runtime";
import type { Managed } from "./aws-kind.ts";

/** The cache shows an older version of an object than the server has. Once it has caught up there is another run. */
export class OutdatedObjectError extends Error {
  constructor({ kind, metadata }: Immutable<Managed>) {
    super(`${kind} ${keyOf({ metadata })} was changed or deleted, and the cache does not show it yet`);
    this.name = "OutdatedObjectError";
  }
}

/** Versions of objects that the server is known to have had while this process leads: it wrote them, or read them live. */
export interface Confirmed {
  wrote(object: Immutable<Managed>): void;
  /** Rejects with {@link OutdatedObjectError} when the server has another version. Asks it once for each. */
  confirm(context: Pick<ReconcileContext<Managed>, "client" | "signal">, object: Immutable<Managed>): Promise<void>;
  forget(uid: string): void;
  /** Somebody else may have led meanwhile. */
  clear(): void;
}

/**
 * Before anything is asked of AWS for an object: a process that has just begun to lead may have an old cache, and would make things
 * for what is gone or was decided otherwise. What this process wrote itself needs no question.
 */
export function createConfirmed(resource: Resource<Managed>): Confirmed {
  const versions = new Map<string, string | undefined>();
  const wrote = ({ metadata: { uid = "", resourceVersion } }: Immutable<Managed>): void => {
    versions.set(uid, resourceVersion);
  };
  return {
    wrote,
    forget: (uid) => void versions.delete(uid),
    clear: () => versions.clear(),
    async confirm({ client, signal }, object) {
      const { uid = "", resourceVersion, namespace = "", name = "" } = object.metadata;
      if (versions.has(uid) && versions.get(uid) === resourceVersion) return;
      const ref: ObjectRef = { namespace, name };
      const live = await client.for(resource).find(ref, { signal });
      if (live?.metadata.uid !== uid || live.metadata.resourceVersion !== resourceVersion) {
        throw new OutdatedObjectError(object);
      }
      wrote(live);
    },
  };
}
