import type { ApiServer } from "@gatewright/apiserver";
import { formatGroupResource } from "@gatewright/kube";
import type { Recorder } from "./recorder.ts";
import type { Actor } from "./scenario.ts";
import type { Timeline } from "./time/timeline.ts";

/** Lets an actor react to the changes of its kind, once a while after each. */
export function takeActions(actor: Actor, server: ApiServer, timeline: Timeline, recorder: Recorder): void {
  const table = formatGroupResource(actor.watches);
  recorder.onChange((changed, type, { metadata: { namespace = "", name = "" } }) => {
    if (changed !== table || type === "DELETED") return;
    const act = (): void => {
      let doomed: string | undefined;
      const change = (object: Parameters<Actor["react"]>[0]): boolean => {
        const reaction = actor.react(object);
        doomed = reaction === "delete" ? object.metadata.uid : undefined;
        return reaction === true;
      };
      server.cluster
        .edit(actor.watches, namespace, name, change, "status")
        .then(async () => {
          if (doomed === undefined) return;
          await server.cluster.delete(actor.watches, namespace, name, { gracePeriodSeconds: 0, uid: doomed });
        })
        .catch((error: unknown) => recorder.mishap(`actor ${actor.name} failed: ${String(error)}`));
    };
    timeline.timer(actor.afterMs, act);
  });
}
