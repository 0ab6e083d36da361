import type { Effect } from "../history.ts";
import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** How often an event is counted that was told before. */
const COUNTS = { site: "patch events.events.k8s.io", withinMs: 60_000 };

/** When everything is as it should be and nobody changes anything, nobody writes: not even what changes nothing. */
export const idleWrites: Oracle = {
  name: "idle writes",
  about:
    "no writes when there is nothing to do, but renewals of leases, and counts of events that repeated shortly before",
  judge({ effects, changes, idle }) {
    if (idle === undefined) return [];
    const during = (at: number): boolean => at >= idle.from && at < idle.to;
    // Of a loop that goes on there are more of them, later.
    const isLateCount = ({ site, sentAt }: Effect): boolean =>
      site === COUNTS.site && sentAt < idle.from + COUNTS.withinMs;
    const sent = effects.filter((effect) => during(effect.sentAt) && !isLateCount(effect));
    const changed = changes.filter(({ at }) => during(at));
    const [first] = sent;
    if (first !== undefined) {
      return [
        `${sent.length} writes, the first at ${seconds(first.sentAt)}: ${first.identity} ${first.site} ${first.object}`,
      ];
    }
    return changed
      .slice(0, 1)
      .map(({ at, object }) => `${object} changed at ${seconds(at)} (${changed.length} changes)`);
  },
};
