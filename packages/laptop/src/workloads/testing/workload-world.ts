import { createApiServer } from "@gatewright/apiserver";
import type { Immutable } from "@gatewright/kube";
import { apps, core, events } from "@gatewright/kube/api";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import { deployments, jobs, replicaSets } from "../index.ts";
import { testKubelet } from "./test-kubelet.ts";

/** A server, the workload controllers and a kubelet of few words, on a clock that moves when a test waits. */
export interface WorkloadWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  /** A user's. */
  readonly client: Client;
  /** `METHOD path` of each request of the controllers since this was last emptied. */
  readonly requests: string[];
  /** Waits for what holds in the end, for so many seconds of the world at most; gives what was seen. */
  until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, seconds?: number): Promise<T>;
  pass(seconds: number): Promise<void>;
  deployment(name: string): Promise<Immutable<apps.Deployment>>;
  replicaSets(): Promise<readonly Immutable<apps.ReplicaSet>[]>;
  pods(): Promise<readonly Immutable<core.Pod>[]>;
  /** Reasons and notes of the events so far. */
  events(): Promise<readonly string[]>;
}

const STEP_MS = 100;

export async function workloadWorld(): Promise<WorkloadWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  const inner = server.transport();
  const requests: string[] = [];
  const transport: Transport = (request) => {
    requests.push(`${request.method} ${request.path.split("?")[0]}`);
    return inner(request);
  };
  const client = createClient(server.transport(), { clock, random: seededRandom(2), userAgent: "user" });
  const manager = createManager({ name: "laptop", transport, clock, random: seededRandom(3) });
  manager.add(deployments());
  manager.add(replicaSets());
  manager.add(jobs());
  manager.add(testKubelet());
  const stop = new AbortController();
  const running = manager.run(stop.signal);

  const step = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(STEP_MS);
  };
  return {
    clock,
    client,
    requests,
    async until(look, holds, seconds = 60) {
      const end = clock.monotonic() + seconds * 1000;
      for (;;) {
        const seen = await look();
        if (holds(seen)) return seen;
        if (clock.monotonic() > end) throw new Error(`it did not come to that: ${JSON.stringify(seen, undefined, 1)}`);
        await step();
      }
    },
    async pass(seconds) {
      const end = clock.monotonic() + seconds * 1000;
      while (clock.monotonic() < end) await step();
    },
    deployment: (name) => client.for(apps.Deployment).get({ namespace: "default", name }),
    replicaSets: async () => (await client.for(apps.ReplicaSet).list({ namespace: "default" })).items,
    pods: async () => (await client.for(core.Pod).list({ namespace: "default" })).items,
    events: async () => {
      const { items } = await client.for(events.Event).list({ namespace: "default" });
      return items.map(({ reason = "", note = "" }) => `${reason}: ${note}`);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      let ended = false;
      void running.finally(() => (ended = true));
      while (!ended) await step();
      await server.close();
    },
  };
}
