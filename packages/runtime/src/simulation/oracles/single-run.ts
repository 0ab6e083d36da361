import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** A process never works on one key twice at once. */
export const singleRun: Oracle = {
  name: "single run",
  about: "one run for each key at a time",
  judge({ runs }) {
    const running = new Set<string>();
    const found: string[] = [];
    for (const { at, identity, controller, key, what } of runs) {
      const run = `${identity} ${controller} ${key}`;
      if (what === "end") running.delete(run);
      else if (running.has(run)) found.push(`${run} began again at ${seconds(at)} before it had ended`);
      else running.add(run);
    }
    return found;
  },
};
