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
import { routingStatus } from "../status/routing-status.ts";

/** One replica of the operator. */
export interface Replica {
  readonly manager: Manager;
  readonly catalogue: MutableCatalogue;
  readonly connections: Connections;
  readonly feed: Feed;
  /** A gateway that is connected to it. */
  gateway(name: string): Connection;
  /** Ends it as a crash would: nothing is cleaned up. */
  crash(): Promise<void>;
}

/**
 * A server in memory on virtual time, with a replica at work on it that leads: feed, statuses, sharing. Tests play users, gateways and
 * further replicas, which follow.
 */
export interface RoutingWorld extends AsyncDisposable, Omit<Replica, "crash"> {
  readonly clock: ManualClock;
  readonly user: Client;
  /** Another replica, which does not lead. */
  follower(name: string): Replica;
  /** How many statuses the leader has written, or tried to. */
  statusWrites(): number;
  create<T extends ApiObject>(resource: Resource<T>, name: string, body: object): Promise<Immutable<T>>;
  /** What is delivered under a key once it is, and `holds` for it. */
  delivered(key: string, holds?: (spec: JsonObject) => boolean): Promise<Deliverable>;
  undelivered(key: string): Promise<void>;
  /** `True Applied Route applied to 1 of 1 gateways`, once it is this. */
  condition(resource: Resource, name: string, type: string, text: RegExp): Promise<void>;
  pass(turns?: number): Promise<void>;
  until<T>(what: string, look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T>;
}

/** `gatewayApi`: whether the server has its kinds. Default: it has. */
export async function createRoutingWorld(
  settings: Partial<FeedSettings> = {},
  { gatewayApi = true }: { readonly gatewayApi?: boolean } = {},
): Promise<RoutingWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(2), fieldManager: "user" });
  let statusWrites = 0;
  const kinds = [
    ...allResources.filter(({ group }) => group === "avapigw.io"),
    ...(gatewayApi ? [ReferenceGrant] : []),
  ];
  for (const kind of kinds) await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  await server.idle();
  for (const name of ["shop", "bank", "gatewright"]) await user.for(core.Namespace).create({ metadata: { name } });
  const replica = (name: string, leads: boolean): Replica => {
    const manager = createManager({
      name: `routing-${name}`,
      clock,
      random: seededRandom(3),
      transport: (request) => {
        if (request.method !== "GET" && request.path.includes("/status")) statusWrites++;
        return transport(request);
      },
    });
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
    const gate = leads ? manager.gate : { check() {}, validUntil: () => Number.NEGATIVE_INFINITY };
    const { cache, client, ungated } = manager;
    const status = routingStatus({
      manager: { cache, client, ungated, gate },
      feed,
      catalogue,
      connections,
      clock,
      log: quietLog,
      namespace: "gatewright",
      replica: name,
    });
    for (const runnable of status.runnables) if (leads || runnable.when === "always") manager.addRunnable(runnable);
    if (leads) for (const controller of status.controllers) manager.add(controller);
    const stopping = new AbortController();
    const running = manager.run(stopping.signal);
    return {
      manager,
      catalogue,
      connections,
      feed,
      gateway: (own) =>
        connections.open({
          namespace: "edge",
          name: own,
          dialect: "gatewright",
          door: "stream",
          labels: {},
          version: "1",
          namespaces: [],
        }),
      async crash() {
        stopping.abort();
        let stopped = false;
        const ended = running.finally(() => void (stopped = true));
        while (!stopped) await time.turn();
        await ended;
      },
    };
  };
  const time = new PassingTime(clock, { turnMs: 50 });
  const until = <T>(what: string, look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> =>
    time.until(what, async () => look(), holds);

  const leader = replica("leader", true);
  const { catalogue } = leader;
  const followers: Replica[] = [];

  return {
    ...leader,
    clock,
    user,
    until,
    follower(name) {
      const follower = replica(name, false);
      followers.push(follower);
      return follower;
    },
    statusWrites: () => statusWrites,
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
      for (const one of [leader, ...followers]) await one.crash();
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
