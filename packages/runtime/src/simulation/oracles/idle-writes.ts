import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** When everything is as it should be and nobody changes anything, nobody writes: not even what changes nothing. */
export const idleWrites: Oracle = {
  name: "idle writes",
  about: "no writes when there is nothing to do, but renewals of leases",
  judge({ effects, changes, idle }) {
    if (idle === undefined) return [];
    const during = (at: number): boolean => at >= idle.from && at < idle.to;
    const sent = effects.filter(({ sentAt }) => during(sentAt));
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
