import { createApiServer } from "@gatewright/apiserver";
import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { CacheReader } from "../../cache/informer.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import type { Transport } from "../../transport/transport.ts";

/** A server in memory, a client that counts its requests, and a cache that holds what it was last filled with. */
export interface KitWorld {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly signal: AbortSignal;
  /** `METHOD path` of each request since this was last emptied. */
  readonly requests: string[];
  /** The server itself, for who intercepts. */
  readonly server: Transport;
  /** Answers requests instead of the server while set. */
  intercept: Transport | undefined;
  cached<T extends ApiObject>(resource: Resource<T>): CacheReader<T>;
  /** Fills the cache of a kind with what the server has. */
  refresh(resource: Resource): Promise<void>;
  close(): Promise<void>;
}

export async function createKitWorld(): Promise<KitWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(5) });
  const inner = server.transport();
  const stored = new Map<string, Map<string, Immutable<ApiObject>>>();
  const requests: string[] = [];
  const transport: Transport = (request) => {
    requests.push(`${request.method} ${request.path.split("?")[0]}`);
    return (world.intercept ?? inner)(request);
  };
  const client = createClient(transport, { clock, random: seededRandom(6), fieldManager: "kit", retry: false });
  const world: KitWorld = {
    client,
    clock,
    signal: new AbortController().signal,
    requests,
    server: inner,
    intercept: undefined,
    cached: <T extends ApiObject>(resource: Resource<T>): CacheReader<T> => {
      const objects = (stored.get(resource.plural) ?? new Map()) as Map<string, Immutable<T>>;
      return {
        get: (ref: ObjectRef | string) => objects.get(typeof ref === "string" ? ref : keyOf(ref)),
        list: (filter) =>
          [...objects.values()].filter(
            ({ metadata }) => (filter?.namespace ?? metadata.namespace) === metadata.namespace,
          ),
        byIndex: () => [],
      };
    },
    async refresh(resource) {
      const { items } = await createClient(inner, { clock }).for(resource).list();
      stored.set(resource.plural, new Map(items.map((item) => [keyOf(item), item])));
    },
    close: () => server.close(),
  };
  return world;
}
