import { createApiServer } from "@gatewright/apiserver";
import type { Immutable } from "@gatewright/kube";
import { apps, batch, core, events } from "@gatewright/kube/api";
import { createClient, createManager, loadTransport } from "@gatewright/runtime";
import type { Client, Manager, Transport } from "@gatewright/runtime";
import { deployments, jobs, replicaSets } from "../../../packages/laptop/src/workloads/index.ts";
import { testKubelet } from "../../../packages/laptop/src/workloads/testing/test-kubelet.ts";
import { eventually } from "../eventually.ts";

/** The node that stories' pods ask for, so that no other node takes them. */
export const NODE = "workload-stories";

/** A server with workload controllers and a node, for one story at a time in each namespace. */
export interface StoryWorld extends AsyncDisposable {
  readonly client: Client;
}

/** Objects of one namespace, as they are at the end of a story. */
export interface Seen {
  readonly deployments: readonly Immutable<apps.Deployment>[];
  readonly replicaSets: readonly Immutable<apps.ReplicaSet>[];
  readonly jobs: readonly Immutable<batch.Job>[];
  readonly pods: readonly Immutable<core.Pod>[];
  readonly events: readonly Immutable<events.Event>[];
}

/** The embedded server with our controllers. */
export async function embeddedWorld(): Promise<StoryWorld> {
  const server = await createApiServer();
  return runWorld(
    server.transport(),
    (manager) => {
      manager.add(deployments());
      manager.add(replicaSets());
      manager.add(jobs());
    },
    () => server.close(),
  );
}

/** A real server with kube-controller-manager. */
export async function realWorld(kubeconfig: string): Promise<StoryWorld> {
  const { transport } = await loadTransport({ kubeconfig });
  return runWorld(
    transport,
    () => {},
    async () => transport.close(),
  );
}

export async function look({ client }: StoryWorld, namespace: string): Promise<Seen> {
  const [seenDeployments, seenReplicaSets, seenJobs, pods, told] = await Promise.all([
    client.for(apps.Deployment).list({ namespace }),
    client.for(apps.ReplicaSet).list({ namespace }),
    client.for(batch.Job).list({ namespace }),
    client.for(core.Pod).list({ namespace }),
    client.for(events.Event).list({ namespace }),
  ]);
  return {
    deployments: seenDeployments.items,
    replicaSets: seenReplicaSets.items,
    jobs: seenJobs.items,
    pods: pods.items,
    events: told.items,
  };
}

async function runWorld(
  transport: Transport,
  add: (manager: Manager) => void,
  close: () => Promise<void>,
): Promise<StoryWorld> {
  const client = createClient(transport, { fieldManager: "story" });
  if ((await client.for(core.Node).find({ name: NODE })) === undefined) {
    await client.for(core.Node).create({ metadata: { name: NODE } });
  }
  const manager = createManager({ name: "story", transport });
  add(manager);
  manager.add(testKubelet({ node: NODE, binds: false }));
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.for(core.Node).delete({ name: NODE });
      stop.abort();
      await running;
      await close();
    },
  };
}

/** Makes a namespace that pods can be made in. */
export async function openNamespace({ client }: StoryWorld, name: string): Promise<void> {
  await client.for(core.Namespace).create({ metadata: { name } });
  const account = { namespace: name, name: "default" };
  await eventually(
    `the service account of ${name}`,
    () => client.for(core.ServiceAccount).find(account),
    (found) => found !== undefined,
  );
}
