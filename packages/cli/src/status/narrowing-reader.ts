import type { Reader } from "@gatewright/explain";

export interface NarrowingReader extends Reader {
  /** What was read of the one namespace alone, in words; undefined when everything was read of all. */
  told(): string | undefined;
}

/** Reads of one namespace what may not be listed of all. Each kind by itself: a right that is missing for one hides nothing of the rest. */
export function narrowingReader(reader: Reader, namespace: string): NarrowingReader {
  const narrowed = new Set<string>();
  let isAnyWhole = false;
  return {
    told: () => {
      if (narrowed.size === 0) return undefined;
      return `Only namespace ${namespace}${isAnyWhole ? ` of ${[...narrowed].toSorted().join(", ")}` : ""}.`;
    },
    get: (resource, ref, signal) => reader.get(resource, ref, signal),
    list: async (resource, selection, signal) => {
      const seen = await reader.list(resource, selection, signal);
      if (!resource.namespaced || selection.namespace !== undefined) return seen;
      if (seen.state === "known") isAnyWhole = true;
      if (seen.state === "known" || seen.problem.reason !== "Forbidden") return seen;
      const less = await reader.list(resource, { ...selection, namespace }, signal);
      const { plural, group } = resource;
      if (less.state === "known") narrowed.add(group === "" ? plural : `${plural}.${group}`);
      return less;
    },
  };
}
