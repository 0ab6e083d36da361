import type { Metrics } from "@gatewright/runtime";
import { sourceKey } from "../model/deliverable.ts";
import type { SourceKey, SourceRef } from "../model/deliverable.ts";
import { ROUTING_METRICS } from "../routing-metrics.ts";
import type { SourceReport } from "./source-report.ts";

/** What is counted of a feed. */
interface CountedFeed {
  sources(): Iterable<SourceRef>;
  report(key: SourceKey): SourceReport | undefined;
}

/** Tells at each scrape how many objects there are, and how many of them are not delivered as they are. */
export function addFeedMetrics(metrics: Metrics, kinds: readonly SourceRef["kind"][], feed: CountedFeed): void {
  const count = (kind: SourceRef["kind"], holds: (ref: SourceRef) => boolean): number => {
    let found = 0;
    for (const ref of feed.sources()) if (ref.kind === kind && holds(ref)) found++;
    return found;
  };
  const isKeptOut = (ref: SourceRef): boolean => {
    const report = feed.report(sourceKey(ref));
    return report !== undefined && report.serving !== report.generation;
  };
  const all = metrics.gauge(ROUTING_METRICS.objects);
  const keptOut = metrics.gauge(ROUTING_METRICS.keptOut);
  for (const kind of kinds) {
    all.from(() => count(kind, () => true), [kind.toLowerCase()]);
    keptOut.from(() => count(kind, isKeptOut), [kind.toLowerCase()]);
  }
}
