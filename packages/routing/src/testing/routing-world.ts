import { createApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, JsonObject, Resource } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { ReferenceGrant, allResources } from "@gatewright/resources";
import { createClient, createManager, quietLog } from "@gatewright/runtime";
import type { Client, Manager } from "@gatewright/runtime";
import { createConnections } from "../distribution/create-connections.ts";
import type { Connection, Connections } from "../distribution/connected-gateway.ts";
import { Feed } from "../feed/feed.ts";
import { DEFAULT_FEED_SETTINGS } from "../feed/feed-settings.ts";
import type { FeedSettings } from "../feed/feed-settings.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { localStandings } from "../status/gateway-standing.ts";
import { objectStatuses } from "../status/object-statuses.ts";

/** A server in memory on virtual time, with feed and statuses at work on it. Tests play users and gateways. */
export interface RoutingWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly user: Client;
  readonly manager: Manager;
  readonly catalogue: MutableCatalogue;
  readonly connections: Connections;
  readonly feed: Feed;
  /** How many requests the operator has sent that write. */
  writes(): number;
  /** A gateway that is connected. */
  gateway(name: string): Connection;
  create<T extends ApiObject>(resource: Resource<T>, name: string, body: object): Promise<Immutable<T>>;
  /** What is delivered under a key once it is, and `holds` for it. */
  delivered(key: string, holds?: (spec: JsonObject) => boolean): Promise<Deliverable>;
  undelivered(key: string): Promise<void>;
  /** `True Applied Route applied to 1 of 1 gateways`, once it is this. */
  condition(resource: Resource, name: string, type: string, text: RegExp): Promise<void>;
  pass(turns?: number): Promise<void>;
  until<T>(what: string, look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T>;
}

export async function createRoutingWorld(settings: Partial<FeedSettings> = {}): Promise<RoutingWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(2), fieldManager: "user" });
  let writes = 0;
  const manager = createManager({
    name: "routing-test",
    clock,
    random: seededRandom(3),
    transport: (request) => {
      if (request.method !== "GET") writes++;
      return transport(request);
    },
  });
  const kinds = [...allResources.filter(({ group }) => group === "avapigw.io"), ReferenceGrant];
  for (const kind of kinds) await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  await server.idle();
  for (const name of ["shop", "bank"]) await user.for(core.Namespace).create({ metadata: { name } });
  const catalogue = new MutableCatalogue();
  const connections = createConnections({ catalogue, clock });
  const feed = new Feed({
    cache: manager.cache,
    client: manager.ungated,
    clock,
    log: quietLog,
    catalogue,
    settings: { ...DEFAULT_FEED_SETTINGS, ...settings },
  });
  manager.addRunnable(feed);
  const gateways = localStandings(connections);
  for (const controller of objectStatuses({ feed, catalogue, gateways, clock })) manager.add(controller);
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  const time = new PassingTime(clock, { turnMs: 20 });
  const until = <T>(what: string, look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> =>
    time.until(what, async () => look(), holds);

  return {
    clock,
    user,
    manager,
    catalogue,
    connections,
    feed,
    until,
    writes: () => writes,
    gateway: (name) =>
      connections.open({
        namespace: "edge",
        name,
        dialect: "gatewright",
        door: "stream",
        labels: {},
        version: "1",
        namespaces: [],
      }),
    create: <T extends ApiObject>(resource: Resource<T>, name: string, body: object) => {
      const [namespace = "", own = ""] = name.split("/");
      return user.for(resource).create({ metadata: { namespace, name: own }, ...body } as never);
    },
    async delivered(key, holds = () => true) {
      const look = () => catalogue.get(key)?.deliverable;
      const found = await until(`${key} is delivered`, look, (one) => one !== undefined && holds(one.spec));
      return found as Deliverable;
    },
    async undelivered(key) {
      await until(
        `${key} is not delivered`,
        () => catalogue.get(key),
        (one) => one === undefined,
      );
    },
    async condition(resource, name, type, text) {
      const [namespace = "", own = ""] = name.split("/");
      const look = async (): Promise<string> => {
        const object = await user.for(resource).find({ namespace, name: own });
        const { status } = (object ?? {}) as { readonly status?: { readonly conditions?: readonly Told[] } };
        const found = status?.conditions?.find((one) => one.type === type);
        return found === undefined ? "" : `${found.status} ${found.reason} ${found.message}`;
      };
      let last = "";
      try {
        await until(
          `${name} is ${text.source}`,
          async () => (last = await look()),
          (one) => text.test(one),
        );
      } catch (error) {
        throw new Error(`${type} of ${name} is "${last}", not ${text.source}`, { cause: error });
      }
    },
    async pass(turns = 20) {
      for (let turn = 0; turn < turns; turn++) await time.turn();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
      await server.close();
    },
  };
}

interface Told {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}
