import { compareResourceVersions } from "@gatewright/kube";
import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** What a process reads from its cache is never older than what it has read or written before, object by object. */
export const monotonicReads: Oracle = {
  name: "monotonic reads",
  about: "caches never go back, not behind the process's own writes either",
  judge({ knowledge }) {
    const newest = new Map<string, { readonly version: string; readonly from: string }>();
    const found: string[] = [];
    for (const { at, from, identity, object, uid, resourceVersion } of knowledge) {
      const key = `${identity} ${object} ${uid}`;
      const known = newest.get(key);
      const order = known === undefined ? 1 : (compareResourceVersions(resourceVersion, known.version) ?? 0);
      if (order < 0 && from === "cache") {
        found.push(
          `${identity} read ${object} at version ${resourceVersion} at ${seconds(at)}, after ${known?.version} (${known?.from})`,
        );
      }
      if (order > 0) newest.set(key, { version: resourceVersion, from });
    }
    return found;
  },
};
