import type { ApiServer } from "@gatewright/apiserver";
import { formatGroupResource } from "@gatewright/kube";
import type { KubeObject, ObjectRef } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";
import type { Recorder } from "./recorder.ts";
import type { Actor, ActorWorld } from "./scenario.ts";
import type { Systems } from "./systems/systems.ts";
import type { Timeline } from "./time/timeline.ts";
import { takeStep } from "./user.ts";

/** What actors are put into. */
export interface ActorGround {
  readonly server: ApiServer;
  readonly systems: Systems;
  readonly timeline: Timeline;
  readonly random: Random;
}

/** Lets an actor react to the changes of its kind, once a while after each. */
export function takeActions(actor: Actor, ground: ActorGround, recorder: Recorder): void {
  const action = "act" in actor ? acting(actor, ground) : reacting(actor, ground.server);
  const kinds = new Map([
    [formatGroupResource(actor.watches), ({ metadata }: KubeObject): ObjectRef | undefined => refOf(metadata)],
    ...(actor.also ?? []).map(({ watches, of }) => [formatGroupResource(watches), of] as const),
  ]);
  recorder.onChange((changed, type, object) => {
    const ref = type === "DELETED" ? undefined : kinds.get(changed)?.(object);
    if (ref === undefined) return;
    ground.timeline.timer(actor.afterMs, () => {
      action(ref.namespace ?? "", ref.name).catch((error: unknown) =>
        recorder.mishap(`actor ${actor.name} failed: ${String(error)}`),
      );
    });
  });
}

function refOf({ namespace = "", name = "" }: KubeObject["metadata"]): ObjectRef {
  return { namespace, name };
}

type Action = (namespace: string, name: string) => Promise<void>;

function reacting(actor: Extract<Actor, { readonly react: unknown }>, { cluster }: ApiServer): Action {
  return async (namespace, name) => {
    let doomed: string | undefined;
    const change = (object: KubeObject): boolean => {
      const reaction = actor.react(object);
      doomed = reaction === "delete" ? object.metadata.uid : undefined;
      return reaction === true;
    };
    await cluster.edit(actor.watches, namespace, name, change, "status");
    if (doomed === undefined) return;
    await cluster.delete(actor.watches, namespace, name, { gracePeriodSeconds: 0, uid: doomed });
  };
}

function acting(actor: Extract<Actor, { readonly act: unknown }>, ground: ActorGround): Action {
  const { server, systems, timeline, random } = ground;
  const world: ActorWorld = {
    clock: timeline,
    random,
    get: (resource, namespace, name) => server.cluster.get(resource, namespace, name),
    take: (task) => takeStep(server, { at: 0, ...task }),
    system: (name) => systems.direct(name),
  };
  /** Objects that are being looked at, and whether they have to be once more. */
  const running = new Map<string, boolean>();
  return async (namespace, name) => {
    const key = `${namespace}/${name}`;
    if (running.has(key)) return void running.set(key, true);
    try {
      do {
        running.set(key, false);
        const object = server.cluster.get(actor.watches, namespace, name);
        if (object !== undefined) await actor.act(object, world);
      } while (running.get(key) === true);
    } finally {
      running.delete(key);
    }
  };
}
