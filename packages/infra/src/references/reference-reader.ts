import { keyOf } from "@gatewright/kube";
import type { Immutable, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { isForbidden } from "@gatewright/runtime";
import type { Client, ReconcileContext } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";

/** Where references are followed: all of them stay in one namespace. */
export interface ReferenceReader {
  object(resource: Resource, namespace: string, name: string): Promise<Immutable<Managed> | undefined>;
  /** With its content. `forbidden`: it must not be read. */
  secret(namespace: string, name: string): Promise<Immutable<core.Secret> | "forbidden" | undefined>;
}

type Context = Pick<ReconcileContext<Managed>, "cached" | "client" | "signal">;
type Contents = Map<string, Immutable<core.Secret>>;

/** What was read of Secrets, for the length of a run and no longer: a context ends with its run. */
const read = new WeakMap<object, Contents>();

/**
 * Reads objects from the cache. Of Secrets the cache has the metadata alone; their content is asked for, once in a run for each
 * version, and is gone when the run ends.
 */
export function cachedReader(context: Context): ReferenceReader {
  const { cached, client, signal } = context;
  const contents = read.get(context) ?? new Map<string, Immutable<core.Secret>>();
  read.set(context, contents);
  return {
    object: async (resource, namespace, name) => cached(asManaged(resource)).get({ namespace, name }),
    async secret(namespace, name) {
      const known = cached(core.Secret).get({ namespace, name });
      if (known === undefined) return undefined;
      const at = `${keyOf(known)} ${known.metadata.uid} ${known.metadata.resourceVersion}`;
      const before = contents.get(at);
      if (before !== undefined) return before;
      const found = await liveSecret(client, namespace, name, signal);
      if (found !== undefined && found !== "forbidden") contents.set(at, found);
      return found;
    },
  };
}

/** Asks the server for everything. */
export function liveReader(client: Client, signal: AbortSignal): ReferenceReader {
  return {
    object: (resource, namespace, name) => client.for(asManaged(resource)).find({ namespace, name }, { signal }),
    secret: (namespace, name) => liveSecret(client, namespace, name, signal),
  };
}

async function liveSecret(
  client: Client,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<Immutable<core.Secret> | "forbidden" | undefined> {
  try {
    return await client.for(core.Secret).find({ namespace, name }, { signal });
  } catch (error) {
    if (isForbidden(error)) return "forbidden";
    throw error;
  }
}

/** Every kind of the room has objects of this form. */
function asManaged(resource: Resource): Resource<Managed> {
  return resource as Resource<Managed>;
}
