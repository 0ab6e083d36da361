import { createApiServer } from "@gatewright/apiserver";
import { staticCredentials } from "@gatewright/aws";
import { loadModel } from "@gatewright/aws-wire";
import { ALL_KINDS, infra } from "@gatewright/infra";
import type { Managed } from "@gatewright/infra";
import type { Resource } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import {
  AWS_LIMITS,
  CallJournal,
  composeServices,
  createLocalAws,
  createMemoryState,
  LAPTOP_KEY,
} from "@gatewright/local-aws";
import { seededRandom } from "@gatewright/ports";
import { allResources, AWSProvider } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import { virtualTime } from "@gatewright/runtime/simulation";

const NAMESPACE = "bench";
const REGION = "eu-west-1";
/** How long a call takes there and back. */
const LATENCY_MS = 50;
/** More calls than there are: each one counts. */
const JOURNAL = 1_000_000;
const DAY_MS = 86_400_000;

/** AWS resources on an API server in memory and an AWS that is as slow and as limited as the real one, all on virtual time. */
export interface VirtualAccount {
  readonly time: ReturnType<typeof virtualTime>;
  readonly journal: CallJournal;
  /** Requests of the controllers to the API server so far. */
  requests(): number;
  /** Makes the objects, and waits until all are as they should be. Seconds. */
  converge(resource: Resource<Managed>, specs: readonly object[]): Promise<number>;
  stop(): Promise<void>;
}

export async function virtualAccount(): Promise<VirtualAccount> {
  const services = [
    "s3",
    "sqs",
    "rds",
    "ec2",
    "dynamodb",
    "sns",
    "secretsmanager",
    "iam",
    "ecr",
    "sts",
    "tagging",
  ] as const;
  // Virtual time does not wait for files.
  for (const service of services) await loadModel(service);
  let [answering, asking, requests] = [0, 0, 0];
  const time = virtualTime(1, () => answering > 0 || asking > 0);
  const world = { clock: time, random: seededRandom(1), state: createMemoryState(), pace: { durations: 1, lag: true } };
  const local = await createLocalAws({
    world,
    services: composeServices(world, { rds: { quota: 100_000 } }).all,
    limits: AWS_LIMITS,
    journal: new CallJournal(JOURNAL),
    onFault: (error) => {
      throw error;
    },
  });
  const server = await createApiServer({ clock: time, random: seededRandom(2) });
  const inner = server.transport();
  const counted: Transport = async (request) => {
    if (request.path.includes("watch=")) return inner(request);
    asking++;
    requests++;
    try {
      return await inner(request);
    } finally {
      asking--;
    }
  };
  const client = createClient(inner, { clock: time, random: seededRandom(3), fieldManager: "bench" });
  const used = new Set([AWSProvider.kind, ...ALL_KINDS.map(({ resource }) => resource.kind)]);
  for (const definition of allResources.filter(({ kind }) => used.has(kind)))
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition, { check: false }));
  await server.idle();
  await client.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
  await client.for(AWSProvider).apply({ metadata: { namespace: NAMESPACE, name: "aws" }, spec: { region: REGION } });

  const manager = createManager({ name: "bench", transport: counted, clock: time, random: seededRandom(4) });
  const { providers, resources } = infra({
    clock: time,
    random: seededRandom(5),
    credentials: staticCredentials(LAPTOP_KEY),
    send: async (_endpoint, request, signal) => {
      await new Promise<void>((resolve) => void time.timer(LATENCY_MS, resolve));
      answering++;
      return local.handle(request, signal).finally(() => answering--);
    },
    tenantSend: () => Promise.reject(new Error("there are no tenants")),
    settings: { cluster: "bench" },
  });
  manager.add(providers);
  for (const controller of resources) manager.add(controller);
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);

  return {
    time,
    journal: local.journal,
    requests: () => requests,
    async converge(resource, specs) {
      const ready = new Set<string>();
      const following = new AbortController();
      const follow = followReady(client, resource, ready, following.signal).catch(() => {}); // ends with the bench
      const began = time.monotonic();
      const creating = createAll(client, resource, specs);
      await time.run(began + DAY_MS, () => ready.size === specs.length);
      await creating;
      following.abort();
      await follow;
      if (ready.size < specs.length)
        throw new Error(`${ready.size} of ${specs.length} ${resource.kind} are ready after a day`);
      return (time.monotonic() - began) / 1000;
    },
    async stop() {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      await time.run(time.monotonic() + DAY_MS, () => stopped);
      await ended;
      await server.close();
    },
  };
}

async function createAll(client: Client, resource: Resource<Managed>, specs: readonly object[]): Promise<void> {
  for (const [index, spec] of specs.entries()) {
    const metadata = { namespace: NAMESPACE, name: `${resource.kind.toLowerCase()}-${index}` };
    // The server judges what the samples say.
    await client.for(resource).create({ metadata, spec: { providerRef: { name: "aws" }, ...spec } } as never);
  }
}

async function followReady(
  client: Client,
  resource: Resource<Managed>,
  ready: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of client.for(resource).watch({ namespace: NAMESPACE, signal })) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    const { metadata, status } = event.object;
    if (status?.ready === true) ready.add(metadata.name ?? "");
    else ready.delete(metadata.name ?? "");
  }
}
