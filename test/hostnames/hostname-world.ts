import { createApiServer } from "@gatewright/apiserver";
import { createAws } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { awsCallMetrics, hostnames } from "@gatewright/hostnames";
import type { HostnameSettings } from "@gatewright/hostnames";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { composeServices, createLocalAws, createMemoryState, LAPTOP_KEY } from "@gatewright/local-aws";
import { ManualClock, nextTurn, seededRandom, untilHolds } from "@gatewright/ports";
import {
  DomainClaim,
  GatewayClass,
  GatewayHostnameRequest,
  gatewayResources,
  HostnameGrant,
} from "@gatewright/resources";
import { createClient, createManager, createMetrics } from "@gatewright/runtime";
import type { Client, MetricsRegistry } from "@gatewright/runtime";
import { loadBalancers } from "../../packages/laptop/src/load-balancers/load-balancers.ts";

const TURNS = 20_000;
const TURN_MS = 100;
const EDGE = "edge";

/** The zone of example.com. */
export const ZONE = "Z0123456789ABC";

/** All of hostnames, and a load balancer controller, on an API server and an AWS in memory and on virtual time. */
export interface HostnameWorld extends AsyncDisposable {
  readonly user: Client;
  readonly clock: ManualClock;
  /** AWS as an onlooker sees it. */
  ask<T>(call: (aws: Aws) => Promise<T>): Promise<T>;
  /** Calls that were made of an operation. */
  calls(operation: string): number;
  until<T>(what: string, look: () => Promise<T>, holds?: (seen: T) => boolean): Promise<T>;
  /** What the process that runs now counts, as Prometheus reads it. */
  metrics(): string;
  /** Ends the process without a word and starts another. */
  crash(): void;
  /** Ends the process, does something while none runs, and starts another. */
  whileDown(work: () => Promise<void>): Promise<void>;
}

export async function createHostnameWorld(settings: Partial<HostnameSettings> = {}): Promise<HostnameWorld> {
  const clock = new ManualClock();
  const pieces = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 0.1, lag: true } };
  const counts = new Map<string, number>();
  const services = composeServices(pieces, { acm: { keys: "quick" } });
  const local = await createLocalAws({
    world: pieces,
    services: services.all,
    issued: services.issued,
    onFault: (error) => {
      throw error;
    },
  });
  await services.route53.seedZone({ id: ZONE, name: "example.com", account: LAPTOP_KEY.account });
  const awsFor = (seed: number, counted: boolean, metrics?: MetricsRegistry): Aws =>
    createAws({
      ...(metrics !== undefined && { onCall: awsCallMetrics(metrics) }),
      region: "eu-west-1",
      credentials: async () => LAPTOP_KEY,
      send: (_endpoint, request, signal) => {
        if (counted) count(request);
        return local.handle(request, signal);
      },
      clock,
      random: seededRandom(seed),
    });
  const count = ({ headers, method, path }: { headers: object; method?: string; path?: string }): void => {
    const target = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-amz-target")?.[1];
    const operation =
      typeof target === "string" ? (target.split(".").at(-1) ?? "") : `${method} ${path?.split("?")[0]}`;
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  };
  const server = await createApiServer({ clock, random: seededRandom(3) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(4), fieldManager: "user" });
  const onlooker = awsFor(5, false);
  const stops: (() => Promise<void>)[] = [];
  let lives = 0;

  const turn = async (): Promise<void> => {
    for (let i = 0; i < 6; i++) await nextTurn();
    clock.advance(TURN_MS);
  };
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let settled = false;
    const end = (): void => void (settled = true);
    work.then(end, end);
    while (!settled) await turn();
    return work;
  };
  const start = (
    name: string,
    add: (manager: ReturnType<typeof createManager>) => void,
    metrics = createMetrics(),
  ): (() => Promise<void>) => {
    const manager = createManager({ name, transport, clock, random: seededRandom(10 + ++lives), metrics });
    add(manager);
    const stopping = new AbortController();
    const running = manager.run(stopping.signal);
    return () => {
      stopping.abort();
      return running;
    };
  };
  let metrics = createMetrics();
  const operator = (): (() => Promise<void>) => {
    const counted = (metrics = createMetrics());
    const add = (manager: ReturnType<typeof createManager>): void => {
      const random = seededRandom(100 + lives);
      const aws = awsFor(200 + lives, true, counted);
      const made = hostnames({ aws, clock, random, metrics: counted, settings });
      manager.add(made.requests);
      manager.add(made.claims);
      manager.add(made.pool);
      manager.add(made.grants);
      for (const runnable of made.runnables) manager.addRunnable(runnable);
    };
    return start("gatewright", add, counted);
  };

  const until: HostnameWorld["until"] = (what, look, holds = Boolean) =>
    untilHolds(what, () => passing(look()), holds, { turn, turns: TURNS });
  for (const definition of [DomainClaim, GatewayHostnameRequest, HostnameGrant, ...gatewayResources]) {
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
    const path = `/apis/${definition.group}/${definition.version}/${definition.plural}`;
    await until(definition.kind, async () => (await user.request({ method: "GET", path })).status === 200);
  }
  for (const name of [EDGE, "shop", "rival"]) await user.for(core.Namespace).create({ metadata: { name } });
  await user
    .for(GatewayClass)
    .create({ metadata: { name: "aws-alb" }, spec: { controllerName: "gateway.k8s.aws/alb" } });
  stops.push(
    start("load-balancers", (manager) => {
      const controllers = loadBalancers({ aws: awsFor(6, false), clock, provisioningMs: 200, refusedMs: 200 });
      for (const each of Object.values(controllers)) manager.add(each);
    }),
  );
  stops.push(operator());

  return {
    user,
    clock,
    ask: (call) => passing(call(onlooker)),
    calls: (operation) => counts.get(operation) ?? 0,
    until,
    metrics: () => metrics.exposition().body,
    crash() {
      const stop = stops.pop()!;
      stops.unshift(stop);
      void stop();
      stops.push(operator());
    },
    async whileDown(work) {
      await passing(stops.pop()!());
      await passing(work());
      stops.push(operator());
    },
    async [Symbol.asyncDispose]() {
      await passing(Promise.all(stops.map((stop) => stop())));
      await server.close();
    },
  };
}
