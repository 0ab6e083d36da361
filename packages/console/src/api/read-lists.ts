import { StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { isForbidden } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

/** Reads lists of several kinds with the caller's rights, and remembers which they may not read. */
export interface ListReader {
  /** Kinds that the caller may not list. */
  readonly unread: readonly string[];
  /** None for kinds that may not be read, or that the server does not have. Rejects for any other reason. */
  list<T extends ApiObject>(resource: Resource<T>, namespace?: string): Promise<readonly Immutable<T>[]>;
}

export function listReader(client: Client, signal: AbortSignal): ListReader {
  const unread: string[] = [];
  return {
    unread,
    async list(resource, namespace) {
      try {
        const options = { signal, ...(namespace !== undefined && { namespace }) };
        return (await client.for(resource).list(options)).items;
      } catch (error) {
        if (isForbidden(error)) unread.push(resource.kind);
        else if (!(error instanceof StatusError) || error.code !== 404) throw error;
        return [];
      }
    },
  };
}
