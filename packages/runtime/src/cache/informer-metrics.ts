import type { Metrics } from "@gatewright/telemetry";

/** What an informer counts. */
export interface InformerMetrics {
  event(type: string): void;
  list(): void;
  /** Events that were not newer than what was known. */
  staleEvent(): void;
  /** Objects of a kind that was not asked for. */
  wrongKind(): void;
  /** Listeners, indexes and transforms that threw. */
  failure(of: "listener" | "index" | "transform"): void;
}

const LABELS = ["resource", "scope"];

/** Metrics of one informer. `objects` and `silentMs` are read at each scrape. */
export function informerMetrics(
  metrics: Metrics | undefined,
  labels: readonly [resource: string, scope: string],
  read: { readonly objects: () => number; readonly silentMs: () => number },
): InformerMetrics {
  if (metrics === undefined) return SILENT;
  metrics
    .gauge({ name: "gatewright_informer_objects", help: "Objects in the cache.", labels: LABELS })
    .from(read.objects, labels);
  metrics
    .gauge({
      name: "gatewright_informer_silent_seconds",
      help: "Time since the server was last heard.",
      labels: LABELS,
    })
    .from(() => read.silentMs() / 1000, labels);
  const events = metrics.counter({
    name: "gatewright_informer_events_total",
    help: "Watch events received.",
    labels: [...LABELS, "type"],
  });
  const lists = metrics.counter({
    name: "gatewright_informer_lists_total",
    help: "Lists begun; all but the first repair a watch.",
    labels: LABELS,
  });
  const stale = metrics.counter({
    name: "gatewright_informer_stale_events_total",
    help: "Watch events that were not newer than what was known, and ignored.",
    labels: LABELS,
  });
  const wrong = metrics.counter({
    name: "gatewright_informer_wrong_kind_total",
    help: "Objects of another kind than was asked for, and dropped.",
    labels: LABELS,
  });
  const failures = metrics.counter({
    name: "gatewright_informer_failures_total",
    help: "Listeners, indexes and transforms that threw.",
    labels: [...LABELS, "of"],
  });
  return {
    event: (type) => events.inc([...labels, type]),
    list: () => lists.inc(labels),
    staleEvent: () => stale.inc(labels),
    wrongKind: () => wrong.inc(labels),
    failure: (of) => failures.inc([...labels, of]),
  };
}

const SILENT: InformerMetrics = { event() {}, list() {}, staleEvent() {}, wrongKind() {}, failure() {} };
