import type { Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { quietLog } from "@gatewright/runtime";
import type { Client, HealthCheck, Log, Runnable } from "@gatewright/runtime";
import { kindKey } from "../history/change-record.ts";
import type { EventHistory } from "../history/event-history.ts";
import { followKind } from "./follow-kind.ts";
import type { FollowDeps } from "./follow-kind.ts";

export interface RecorderOptions {
  /** Needs `list` and `watch` on the kinds; for a history on disk also `get` on the namespace `kube-system`. */
  readonly client: Client;
  readonly resources: readonly Resource[];
  readonly history: EventHistory;
  readonly clock: Clock;
  readonly log?: Log;
}

/** Follows kinds into a history while it runs. */
export interface Recorder extends Runnable {
  /** Ready when the history has once been up to date with every kind. */
  readonly check: HealthCheck;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** Every process that serves the event API runs one for its own history: it changes nothing in the cluster and needs no lease. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { resources, history, clock, log = quietLog, client } = options;
  const behind = new Set(resources.map(kindKey));

  /** The oldest thing of a cluster tells it from others: its kube-system. A history that ends with the process sees but one. */
  async function identity(signal: AbortSignal): Promise<string> {
    if (!history.durable) return "";
    const system = await client.for(core.Namespace).get({ name: "kube-system" }, { signal });
    return system.metadata.uid ?? "";
  }

  async function follow(resource: Resource, deps: Omit<FollowDeps, "cluster">, signal: AbortSignal): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await followKind(resource, { ...deps, cluster: await identity(signal) }, signal);
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        log.warn("Cannot follow a kind; trying again", { kind: kindKey(resource), pauseMs: pause, error });
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      await sleep(clock, pause, signal).catch(() => {}); // the loop ends by itself when the signal aborts
    }
  }

  return {
    name: "event-recorder",
    when: "always",
    check: {
      name: "event-recorder",
      for: "ready",
      problem: () => (behind.size === 0 ? undefined : `not up to date yet: ${[...behind].join(", ")}`),
    },
    async run(signal) {
      const each = resources.map((resource) => {
        const caughtUp = (): void => void behind.delete(kindKey(resource));
        return follow(resource, { client, history, clock, caughtUp }, signal);
      });
      await Promise.all(each);
    },
  };
}
