import { createApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { apiextensions, apps } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { Application, GatewayHostnameRequest, HTTPRoute, TargetGroupConfiguration } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { applications } from "../controller.ts";

const EXPOSING = [GatewayHostnameRequest, HTTPRoute, TargetGroupConfiguration] as const;

/** A server in memory on virtual time, with the controller at work on it. Nobody runs pods: tests say how they are. */
export interface ApplicationWorld extends AsyncDisposable {
  readonly user: Client;
  /** Looks again, while time passes, until what is seen holds. Gives what was seen. */
  until<T>(what: string, look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T>;
  /** Waits until an Application is as it should be. */
  untilApp(name: string, holds: (app: Immutable<Application>) => boolean): Promise<Immutable<Application>>;
  /** Waits until an object is there. */
  made<T extends ApiObject>(resource: Resource<T>, name: string): Promise<Immutable<T>>;
  /** Waits until an object is gone. */
  gone(resource: Resource, name: string): Promise<void>;
  /** Lets some time pass. */
  pass(): Promise<void>;
  /** Plays the workload controllers: every replica of the newest spec is available. */
  rollOut(name: string): Promise<void>;
}

const at = (name: string): ObjectRef => ({ namespace: "default", name });

/** With `expose`, its kinds are there and Applications can have hostnames. */
export async function createApplicationWorld({ expose = false } = {}): Promise<ApplicationWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(7) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(8), fieldManager: "user" });
  const manager = createManager({ name: "applications-test", transport, clock, random: seededRandom(9) });
  const stopping = new AbortController();

  const time = new PassingTime(clock, { turnMs: 20 });
  const find = <T extends ApiObject>(resource: Resource<T>, name: string) => user.for(resource).find(at(name));

  for (const kind of expose ? [Application, ...EXPOSING] : [Application])
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  await server.idle();
  manager.add(applications({ expose }));
  const running = manager.run(stopping.signal);

  return {
    user,
    until: (what, look, holds) => time.until(what, look, holds),
    async untilApp(name, holds) {
      const app = await time.until(
        `Application ${name}`,
        () => find(Application, name),
        (seen) => seen !== undefined && holds(seen),
      );
      return app!;
    },
    async made(resource, name) {
      const object = await time.until(
        `${resource.kind} ${name}`,
        () => find(resource, name),
        (seen) => seen !== undefined,
      );
      return object!;
    },
    async gone(resource, name) {
      await time.until(
        `the end of ${resource.kind} ${name}`,
        () => find(resource, name),
        (seen) => seen === undefined,
      );
    },
    async pass() {
      for (let turns = 0; turns < 20; turns++) await time.turn();
    },
    async rollOut(name) {
      const { metadata, spec } = await user.for(apps.Deployment).get(at(name));
      const count = spec?.replicas ?? 1;
      const conditions = [
        { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "enough" },
        { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "done" },
      ];
      const counts = { replicas: count, updatedReplicas: count, readyReplicas: count, availableReplicas: count };
      const status = { observedGeneration: metadata.generation ?? 0, ...counts, conditions };
      await user.for(apps.Deployment).status.patch(at(name), { merge: { status } });
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const ended = running.finally(() => void (stopped = true));
      let stopped = false;
      while (!stopped) await time.turn();
      await ended;
      await server.close();
    },
  };
}
