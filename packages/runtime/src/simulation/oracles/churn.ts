import type { ObjectChange } from "../history.ts";
import type { Oracle } from "./oracle.ts";

/**
 * No object is made or deleted more often than without faults. Less often is allowed: who was away while something came and went has
 * nothing to do about it, and what is missing in the end shows in the end state. Objects that a stray write hit are not judged: it
 * can bring back what was gone, for others to remove again.
 */
export const churn: Oracle = {
  name: "churn",
  about: "no object is created or deleted more often than without faults",
  judge(history, reference) {
    const [here, there] = [counts(history.changes), counts(reference.changes)];
    const strays = new Set(history.effects.flatMap(({ stray, object, hit }) => (stray ? [object, ...hit] : [])));
    const found: string[] = [];
    for (const [what, count] of here) {
      if (strays.has(what.slice(0, what.lastIndexOf(" ")))) continue;
      const expected = there.get(what) ?? 0;
      if (count > expected) found.push(`${what} ${count} times instead of ${expected}`);
    }
    return found;
  },
};

function counts(changes: readonly ObjectChange[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const { type, object, unjudged } of changes) {
    if (type === "MODIFIED" || unjudged === true) continue;
    const what = `${object} ${type === "ADDED" ? "created" : "deleted"}`;
    all.set(what, (all.get(what) ?? 0) + 1);
  }
  return all;
}
