import { createApiServer } from "@gatewright/apiserver";
import { staticCredentials } from "@gatewright/aws";
import type { Send } from "@gatewright/aws";
import { createProviders } from "@gatewright/infra";
import type { Providers, ProvidersOptions } from "@gatewright/infra";
import type { Immutable } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { composeServices, createLocalAws, createMemoryState, LAPTOP_KEY } from "@gatewright/local-aws";
import type { AccountKey, ComposeOptions, JournalEntry } from "@gatewright/local-aws";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { AWSProvider, SQSQueue } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

/** Accounts of the local AWS, besides that of a laptop. */
export const SHOP: AccountKey = {
  accessKeyId: "AKIASHOP00000001",
  secretAccessKey: "shop-secret-1",
  account: "111111111111",
};
export const SHOP_NEXT: AccountKey = { ...SHOP, accessKeyId: "AKIASHOP00000002", secretAccessKey: "shop-secret-2" };
export const RIVAL: AccountKey = {
  accessKeyId: "AKIARIVAL0000001",
  secretAccessKey: "rival-secret",
  account: "222222222222",
};

/** Where the local AWS is for the operator. */
export const ENDPOINT = "http://aws.local:4566";

const LONG_TURN_MS = 2_000;

export interface ProviderWorldOptions {
  readonly settings?: ProvidersOptions["settings"];
  readonly sts?: ComposeOptions["sts"];
  readonly webIdentity?: ProvidersOptions["webIdentity"];
  /** Carries calls to endpoints that tenants name. Default: there is nothing at any of them. */
  readonly tenantSend?: Send;
  /** Default: those of a laptop. */
  readonly credentials?: ProvidersOptions["credentials"];
}

/** Providers on an API server and an AWS with several accounts, in memory and on virtual time. */
export interface ProviderWorld extends AsyncDisposable {
  readonly user: Client;
  readonly clock: ManualClock;
  readonly time: PassingTime;
  readonly providers: () => Providers;
  /** While true nothing that is sent to AWS arrives. */
  cut: boolean;
  calls(operation: string): readonly JournalEntry[];
  /** Writes that the operator made to the API server. */
  writes(): number;
  make(name: string, spec: Partial<AWSProvider["spec"]>, namespace?: string): Promise<void>;
  secret(
    name: string,
    data: Readonly<Record<string, string>>,
    more?: { readonly namespace?: string; readonly allow?: string },
  ): Promise<void>;
  queue(name: string, provider: string, namespace?: string): Promise<void>;
  get(name: string, namespace?: string): Promise<Immutable<AWSProvider> | undefined>;
  /** Waits until the condition Ready of a provider has this reason. */
  ready(name: string, reason: string, namespace?: string): Promise<Immutable<AWSProvider>>;
  /** Lets much time pass in few turns. */
  long(ms: number): Promise<void>;
  restart(): Promise<void>;
}

export async function createProviderWorld(options: ProviderWorldOptions = {}): Promise<ProviderWorld> {
  const clock = new ManualClock();
  const time = new PassingTime(clock, { turnMs: 100, turns: 5_000 });
  const pieces = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 0, lag: false } };
  const services = composeServices(pieces, options.sts === undefined ? {} : { sts: options.sts });
  const local = await createLocalAws({
    world: pieces,
    services: services.all,
    issued: services.issued,
    keys: [LAPTOP_KEY, SHOP, SHOP_NEXT, RIVAL],
    onFault: (error) => {
      throw error;
    },
  });
  const server = await createApiServer({ clock, random: seededRandom(2) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(3), fieldManager: "user" });
  let writes = 0;
  let lives = 0;

  const start = () => {
    const stopping = new AbortController();
    const manager = createManager({
      name: "gatewright",
      clock,
      random: seededRandom(10 + ++lives),
      transport: (request) => {
        if (request.method !== "GET" && !request.path.includes("/events")) writes++;
        return transport(request);
      },
    });
    const providers = createProviders({
      kinds: [SQSQueue],
      clock,
      random: seededRandom(100 + lives),
      endpoint: ENDPOINT,
      credentials: options.credentials ?? staticCredentials(LAPTOP_KEY),
      send: async (_endpoint, request, signal) => {
        if (world.cut) throw new Error("cut");
        return local.handle(request, signal);
      },
      tenantSend: options.tenantSend ?? (() => Promise.reject(new Error("there is nothing"))),
      gate: () => manager.gate.check(),
      ...(options.settings !== undefined && { settings: options.settings }),
      ...(options.webIdentity !== undefined && { webIdentity: options.webIdentity }),
    });
    manager.add(providers.controller);
    const running = manager.run(stopping.signal);
    const stop = async (): Promise<void> => {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
    };
    return { providers, stop };
  };

  for (const definition of [AWSProvider, SQSQueue]) {
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
  }
  await server.idle();
  for (const name of ["shop", "rival", "platform"]) await user.for(core.Namespace).create({ metadata: { name } });
  let life: ReturnType<typeof start> | undefined;

  const get: ProviderWorld["get"] = (name, namespace = "shop") => user.for(AWSProvider).find({ namespace, name });
  const world: ProviderWorld = {
    user,
    clock,
    time,
    cut: false,
    providers: () => life!.providers,
    calls: (operation) => local.journal.calls({ operation }),
    writes: () => writes,
    async make(name, spec, namespace = "shop") {
      await user.for(AWSProvider).apply({ metadata: { namespace, name }, spec: { region: "eu-west-1", ...spec } });
    },
    async secret(name, data, { namespace = "shop", allow } = {}) {
      const annotations = allow === undefined ? {} : { "aws-infra-operator.runner.codes/allowed-namespaces": allow };
      await user.for(core.Secret).apply({ metadata: { namespace, name, annotations }, stringData: data });
    },
    async queue(name, provider, namespace = "shop") {
      const [first = "", second] = provider.split("/");
      const providerRef = second === undefined ? { name: first } : { namespace: first, name: second };
      await user.for(SQSQueue).apply({ metadata: { namespace, name }, spec: { providerRef, queueName: name } });
    },
    get,
    ready: (name, reason, namespace = "shop") =>
      time.until(
        `${namespace}/${name} is ${reason}`,
        async () => (await get(name, namespace)) as Immutable<AWSProvider>,
        (seen) =>
          seen?.status?.observedGeneration === seen?.metadata.generation &&
          seen?.status?.conditions?.some((each) => each.type === "Ready" && each.reason === reason) === true,
      ),
    async long(ms) {
      for (const end = clock.monotonic() + ms; clock.monotonic() < end;) await time.turn(LONG_TURN_MS);
    },
    async restart() {
      await life?.stop();
      life = start();
    },
    async [Symbol.asyncDispose]() {
      await life?.stop();
      await server.close();
    },
  };
  life = start();
  return world;
}

/** What a Secret of credentials has in it. */
export function keysOf({ accessKeyId, secretAccessKey }: AccountKey): Record<string, string> {
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}
