import { core } from "@gatewright/kube/api";
import { parseTime } from "@gatewright/kube";
import type { Subject } from "../answer.ts";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link } from "../link.ts";

/** Older news may be over. */
const NEWS_MS = 10 * 60_000;
const SHOWN = 2;

/** The newest warnings about an object that has no conditions of its own. `isOver`: whether what one says holds no more. */
export function eventLinks(
  known: Known,
  { namespace = "", kind, name }: Subject,
  uid: string | undefined,
  isOver: (message: string) => boolean,
): readonly Cause[] {
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name},type=Warning`;
  const seen = known.list(core.Event, { namespace, fieldSelector });
  if (seen.state === "unknown") return [];
  return seen.items
    .filter((event) => uid === undefined || event.involvedObject.uid === undefined || event.involvedObject.uid === uid)
    .map((event) => ({
      event,
      at: event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? undefined,
    }))
    .filter(({ event, at }) => known.now - (parseTime(at ?? "") ?? 0) < NEWS_MS && !isOver(event.message ?? ""))
    .toSorted((a, b) => (a.at! < b.at! ? 1 : -1))
    .slice(0, SHOWN)
    .map(({ event, at }) =>
      link({
        title: "Warning",
        state: "warning",
        reason: event.reason ?? "",
        message: event.message ?? "",
        since: at,
        next: [{ text: "Do what the warning says." }],
      }),
    );
}
