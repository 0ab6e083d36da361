import { at, textAt } from "./kube.ts";
import type { KubeObject } from "./kube.ts";

/** An event in the words of the page. */
export interface EventRow {
  readonly key: string;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  /** When it was last seen. */
  readonly at: string;
  readonly count: number;
  readonly reporter: string;
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
}

/** Reads an Event of either API: the core one shows both, under its own names. */
export function eventRow(event: KubeObject): EventRow {
  const field = (...path: string[]): string => textAt(event, ...path);
  const about = at(event, "involvedObject");
  const namespace = textAt(about, "namespace");
  return {
    key: `${event.metadata.namespace ?? ""}/${event.metadata.name}`,
    isWarning: field("type") === "Warning",
    reason: field("reason"),
    message: field("message"),
    at:
      field("series", "lastObservedTime") ||
      field("lastTimestamp") ||
      field("eventTime") ||
      (event.metadata.creationTimestamp ?? ""),
    count: Number(field("series", "count") || field("count") || 1),
    reporter: field("reportingComponent") || field("source", "component"),
    regarding: {
      apiVersion: textAt(about, "apiVersion"),
      kind: textAt(about, "kind"),
      name: textAt(about, "name"),
      ...(namespace !== "" && { namespace }),
    },
  };
}

/** Newest first. */
export function eventRows(events: readonly KubeObject[]): readonly EventRow[] {
  return events.map(eventRow).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
