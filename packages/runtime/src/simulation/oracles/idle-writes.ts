import type { Effect } from "../history.ts";
import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** How long an event that happened again may wait until it is counted, or told at all where it could not be written before. */
const REPEATS = { sites: ["patch events.events.k8s.io", "create events.events.k8s.io"], withinMs: 60_000 };

/** When everything is as it should be and nobody changes anything, nobody writes: not even what changes nothing. */
export const idleWrites: Oracle = {
  name: "idle writes",
  about: "no writes when there is nothing to do, but renewals of leases, and events that repeated shortly before",
  judge({ effects, changes, idle }) {
    if (idle === undefined) return [];
    const during = (at: number): boolean => at >= idle.from && at < idle.to;
    // Of a loop that goes on there are more of them, later.
    const isRepeat = ({ site, sentAt }: Effect): boolean =>
      REPEATS.sites.includes(site) && sentAt < idle.from + REPEATS.withinMs;
    const sent = effects.filter((effect) => during(effect.sentAt) && !isRepeat(effect));
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
