import { createApiServer } from "@gatewright/apiserver";
import { staticCredentials } from "@gatewright/aws";
import { ALL_KINDS, infra } from "@gatewright/infra";
import type { Managed } from "@gatewright/infra";
import type { Immutable, Resource } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { composeServices, createLocalAws, createMemoryState, LAPTOP_KEY } from "@gatewright/local-aws";
import type { Faults, JournalEntry } from "@gatewright/local-aws";
import { ManualClock, PassingTime, seededRandom, systemClock } from "@gatewright/ports";
import { allResources, AWSProvider } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import type { SdkWay } from "../../packages/infra/src/kinds/testing/kind-stage.ts";

export interface InfraWorldOptions {
  readonly faults?: Faults;
  /** Default: things take no time, and reads are never behind. */
  readonly pace?: { readonly durations: number; readonly lag: boolean };
}

/** The whole of AWS resources on an API server and an AWS, in memory and on virtual time. SDKs come in through a socket. */
export interface InfraWorld extends AsyncDisposable {
  readonly user: Client;
  readonly time: PassingTime;
  sdk(): SdkWay;
  /** Makes or changes an object of namespace `shop` with provider `aws`. The spec is all that it has. */
  put<T extends Managed>(
    resource: Resource<T>,
    name: string,
    spec: object,
    annotations?: Record<string, string>,
  ): Promise<void>;
  get<T extends Managed>(resource: Resource<T>, name: string): Promise<Immutable<T> | undefined>;
  /** Waits until Ready has this reason for the newest spec. */
  reason<T extends Managed>(resource: Resource<T>, name: string, reason: string): Promise<Immutable<T>>;
  ready<T extends Managed>(resource: Resource<T>, name: string): Promise<Immutable<T>>;
  remove<T extends Managed>(resource: Resource<T>, name: string): Promise<void>;
  gone<T extends Managed>(resource: Resource<T>, name: string): Promise<void>;
  calls(filter: { readonly service?: string; readonly operation?: string }): readonly JournalEntry[];
  /** Writes that the operator made to the API server, events aside. */
  writes(): number;
  /** Ends the process at once, with nothing being finished, and starts another; `meanwhile` is done while none runs. */
  crash(meanwhile?: () => Promise<void>): Promise<void>;
  /** Lets time pass in large steps. */
  long(ms: number): Promise<void>;
}

const NAMESPACE = "shop";
const LONG_TURN_MS = 5_000;

export async function createInfraWorld(options: InfraWorldOptions = {}): Promise<InfraWorld> {
  const clock = new ManualClock();
  const time = new PassingTime(clock, { turnMs: 100, turns: 3_000 });
  const pace = options.pace ?? { durations: 0, lag: false };
  const pieces = { clock, random: seededRandom(1), state: createMemoryState(), pace };
  const services = composeServices(pieces);
  const local = await createLocalAws({
    world: pieces,
    services: services.all,
    issued: services.issued,
    keys: [LAPTOP_KEY],
    ...(options.faults !== undefined && { faults: options.faults }),
    onFault: (error) => {
      throw error;
    },
  });
  const listening = await local.listen({ port: 0 });
  const server = await createApiServer({ clock, random: seededRandom(2) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(3), fieldManager: "user" });
  let writes = 0;
  let lives = 0;

  const start = () => {
    const stopping = new AbortController();
    /** A process that crashed sends nothing any more. */
    let dead = false;
    const manager = createManager({
      name: "gatewright",
      clock,
      random: seededRandom(10 + ++lives),
      transport: (request) => {
        if (dead) return Promise.reject(new Error("crashed"));
        if (request.method !== "GET" && !request.path.includes("/events")) writes++;
        return transport(request);
      },
    });
    const parts = infra({
      clock,
      random: seededRandom(100 + lives),
      endpoint: "http://aws.local:4566",
      credentials: staticCredentials(LAPTOP_KEY),
      send: (_endpoint, request, signal) =>
        dead ? Promise.reject(new Error("crashed")) : local.handle(request, signal),
      tenantSend: () => Promise.reject(new Error("there is nothing")),
      gate: () => manager.gate.check(),
      settings: { cluster: "test" },
    });
    manager.add(parts.providers);
    for (const controller of parts.resources) manager.add(controller);
    const running = manager.run(stopping.signal);
    const stop = async (): Promise<void> => {
      dead = true;
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
    };
    return { stop };
  };

  const used = new Set<string>([AWSProvider.kind, ...ALL_KINDS.map(({ resource }) => resource.kind)]);
  for (const definition of allResources.filter(({ kind }) => used.has(kind))) {
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
  }
  await server.idle();
  await user.for(core.Namespace).create({ metadata: { name: NAMESPACE } });
  await user.for(AWSProvider).apply({ metadata: { namespace: NAMESPACE, name: "aws" }, spec: { region: "eu-west-1" } });
  let life = start();

  const get: InfraWorld["get"] = (resource, name) => user.for(resource).find({ namespace: NAMESPACE, name });
  const reason: InfraWorld["reason"] = (resource, name, wanted) =>
    time.until(
      `${resource.kind} ${name} is ${wanted}`,
      async () => (await get(resource, name))!,
      (seen) =>
        seen?.status?.conditions?.some(
          (each) =>
            each.type === "Ready" && each.reason === wanted && each.observedGeneration === seen.metadata.generation,
        ) === true,
    );
  return {
    user,
    time,
    get,
    reason,
    ready: (resource, name) => reason(resource, name, "InSync"),
    sdk: () => ({
      endpoint: listening.url,
      region: "eu-west-1",
      credentials: { accessKeyId: LAPTOP_KEY.accessKeyId, secretAccessKey: LAPTOP_KEY.secretAccessKey },
      forcePathStyle: true,
      maxAttempts: 1,
      systemClockOffset: clock.now() - systemClock.now(),
    }),
    async put(resource, name, spec, annotations = {}) {
      const { apiVersion, kind } = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
      const metadata = { namespace: NAMESPACE, name, annotations };
      const object = { apiVersion, kind, metadata, spec: { providerRef: { name: "aws" }, ...spec } };
      // What the tests say is for the server to judge.
      await user.for(resource).apply(object as never, { force: true });
    },
    async remove(resource, name) {
      await user.for(resource).delete({ namespace: NAMESPACE, name });
    },
    async gone(resource, name) {
      await time.until(`${resource.kind} ${name} is gone`, async () => (await get(resource, name)) === undefined);
    },
    calls: (filter) => local.journal.calls(filter),
    writes: () => writes,
    async crash(meanwhile) {
      await life.stop();
      await meanwhile?.();
      life = start();
    },
    async long(ms) {
      for (const end = clock.monotonic() + ms; clock.monotonic() < end;) await time.turn(LONG_TURN_MS);
    },
    async [Symbol.asyncDispose]() {
      await life.stop();
      await server.close();
      await listening.close();
    },
  };
}
