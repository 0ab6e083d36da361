import { keyOf } from "@gatewright/kube";
import type { ApiObject } from "@gatewright/kube";
import { nextTurn } from "@gatewright/ports";
import type { Cache } from "../cache/informer.ts";
import { createQueue } from "../queue/create-queue.ts";
import type { Queue, QueueItem } from "../queue/queue.ts";
import { queueMetrics } from "../queue/queue-metrics.ts";
import type { ControllerDefinition } from "./definition.ts";
import { createReconciler, TIMEOUT_MS } from "./reconciler.ts";
import type { ReconcilerDependencies } from "./reconciler.ts";
import { restarting } from "./restarting.ts";
import { openSources } from "./sources.ts";
import type { Verdict } from "./verdict.ts";

export interface ControllerDependencies extends ReconcilerDependencies {
  readonly cache: Cache;
}

/** A controller that can be run. What it watches has been asked of the cache, so that it is warm when the controller starts. */
export interface Controller {
  readonly name: string;
  /**
   * Reconciles until the signal aborts. Begins when everything that it watches is in the cache and what is there already has been
   * enqueued. After the abort no reconcile starts, and it resolves when those that run have ended, so that one object never runs
   * twice at once even when the controller is started again.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Keys that run now. */
  running(): readonly string[];
  /** Keys whose run has not ended though it was told to a while ago: only a restart ends it. */
  stuck(): readonly string[];
}

/** Reconciles that wait for nothing could hold the thread for as long as there are keys; lease and sockets need it too. */
const LONGEST_TURN_MS = 20;

/** Makes a controller of a definition. */
export function createController<T extends ApiObject>(
  definition: ControllerDefinition<T>,
  dependencies: ControllerDependencies,
): Controller {
  const { clock, cache, metrics } = dependencies;
  const { name, concurrency = 1, timeoutMs = TIMEOUT_MS } = definition;
  const log = dependencies.log.with({ controller: name });
  const sources = openSources(definition, cache);
  const reconcile = createReconciler(definition, sources, dependencies);
  const counted = metrics === undefined ? undefined : queueMetrics(metrics, clock, name);
  /** When the run of each key began. */
  const running = new Map<string, number>();

  const work = async (queue: Queue, signal: AbortSignal): Promise<void> => {
    let turnBegan = clock.monotonic();
    for (let item = await queue.take(signal); item !== undefined; item = await queue.take(signal)) {
      running.set(item.key, clock.monotonic());
      // The key may have been handed over in the same moment in which the signal aborted.
      if (!signal.aborted) follow(queue, item, await reconcile(item, signal));
      running.delete(item.key);
      queue.done(item.key);
      if (clock.monotonic() - turnBegan < LONGEST_TURN_MS) continue;
      await nextTurn();
      turnBegan = clock.monotonic();
    }
  };

  return {
    name,
    running: () => [...running.keys()],
    stuck: () =>
      Array.from(running).flatMap(([key, since]) => (clock.monotonic() - since > 2 * timeoutMs ? [key] : [])),
    async run(signal) {
      try {
        await sources.whenSynced(signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      if (signal.aborted) return;
      const queue = createQueue({ clock, ...(counted !== undefined && { metrics: counted }) });
      const leave = sources.subscribe(
        (key, priority) => queue.add(key, { priority }),
        ({ kind }, error) => log.error("A change could not be mapped to objects of the controller", { kind, error }),
      );
      const background = (definition.sources ?? []).map((source) =>
        restarting(
          (ended) => source((ref, priority = 0) => queue.add(keyOf(ref), { priority }), ended),
          { clock, failed: sourceFailed },
          signal,
        ),
      );
      log.info("Controller started", { workers: concurrency, objects: queue.depth().ready });
      try {
        await Promise.all(Array.from({ length: concurrency }, () => work(queue, signal)));
        await Promise.all(background);
      } finally {
        leave();
        await queue.close();
      }
      log.info("Controller stopped");
    },
  };

  function sourceFailed(error: unknown, pauseMs: number): void {
    log.error("A source of the controller failed and will be started again", { error, pauseMs });
  }
}

/** Does to the queue what a verdict says. */
function follow(queue: Queue, { key, priority }: QueueItem, { next }: Verdict): void {
  switch (next.kind) {
    case "forget":
      queue.forget(key);
      break;
    case "again":
      queue.forget(key);
      queue.add(key, { afterMs: next.afterMs, priority });
      break;
    case "backoff":
      queue.retry(key, { priority, atLeastMs: next.atLeastMs });
      break;
    case "postpone":
      queue.add(key, { afterMs: next.afterMs, priority });
      break;
    case "drop":
  }
}
