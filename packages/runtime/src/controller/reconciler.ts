import { refOf } from "@gatewright/kube";
import type { ApiObject } from "@gatewright/kube";
import { deadline, DeadlineError, uuid } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import type { EventRecorder } from "../kit/event-recorder.ts";
import type { QueueItem } from "../queue/queue.ts";
import { withinSpan } from "@gatewright/telemetry";
import type { Log, Metrics, Tracer } from "@gatewright/telemetry";
import { accessCheck } from "./access.ts";
import type { ControllerDefinition } from "./definition.ts";
import type { Outcome } from "./outcome.ts";
import { reconcileClient } from "./reconcile-client.ts";
import { reconcileMetrics } from "./reconcile-metrics.ts";
import type { Sources } from "./sources.ts";
import { verdictOf } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** What every run of a controller needs. */
export interface ReconcilerDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly metrics?: Metrics | undefined;
}

/** How long a run may take when its definition does not say. */
export const TIMEOUT_MS = 300_000;

/** Makes the function that runs a controller for one key. It never rejects, whatever the controller does. */
export function createReconciler<T extends ApiObject>(
  definition: ControllerDefinition<T>,
  sources: Sources<T>,
  dependencies: ReconcilerDependencies,
): (item: QueueItem, signal: AbortSignal) => Promise<Verdict> {
  const { clock, random, events, tracer } = dependencies;
  const client = dependencies.client.with({ fieldManager: definition.name });
  const check = accessCheck(definition);
  const metrics = reconcileMetrics(dependencies.metrics, definition.name, definition.concurrency ?? 1);

  return async ({ key, failures, waitedMs }, stopping) => {
    const ref = refOf(key);
    const { namespace, name } = ref;
    const object = sources.own.get(key);
    const generation = object?.metadata.generation;
    const place = {
      controller: definition.name,
      ...(namespace !== undefined && { namespace }),
      name,
      ...(generation !== undefined && { generation }),
      ...(object !== undefined && definition.telling?.(object)),
    };
    const log = dependencies.log.with({ ...place, reconcileID: uuid(random) });
    const span = tracer.start("reconcile", { ...place, failures, "queue.wait_ms": waitedMs });
    const begun = clock.monotonic();
    using limit = deadline(clock, definition.timeoutMs ?? TIMEOUT_MS, stopping);
    const { signal } = limit;
    metrics.started();
    let outcome: Outcome | undefined;
    let thrown = false;
    try {
      outcome = await withinSpan(span, () =>
        definition.reconcile({
          key,
          ref,
          object,
          cached: (resource) => sources.cached(resource),
          client: reconcileClient(client, check, signal),
          events,
          clock,
          signal,
          log,
          span,
          failures,
        }),
      );
    } catch (error) {
      thrown = true;
      outcome = { kind: "retry", error };
    }
    const timeout = signal.reason instanceof DeadlineError ? signal.reason : undefined;
    const verdict = verdictOf({ outcome, thrown, timeout, stopped: stopping.aborted });
    metrics.ended(verdict, clock.monotonic() - begun);
    if (verdict.told !== undefined) log[verdict.told.level](verdict.told.message, { error: verdict.error, failures });
    span.end(verdict.result === "error" ? verdict.error : undefined);
    return verdict;
  };
}
