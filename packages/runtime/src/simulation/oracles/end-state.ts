import type { WorldState } from "../history.ts";
import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** Once faults have ended the world becomes what it would have become without them, in time, and stays so. */
export const endState: Oracle = {
  name: "end state",
  about: "the same end state as without faults, reached in time and kept",
  judge(history, reference) {
    const different = differences(history.endState, reference.endState);
    if (history.convergedAt === undefined) {
      return [
        `not reached after faults ended at ${seconds(history.calmAt)}: ${different.join("; ") || "steps are left"}`,
      ];
    }
    return different.map((what) => `reached at ${seconds(history.convergedAt ?? 0)}, then lost: ${what}`);
  },
};

/** Where a state differs from what it should be: in a few words for each object. */
function differences(is: WorldState, should: WorldState): string[] {
  const found: string[] = [];
  for (const [name, object] of is) {
    const other = should.get(name);
    if (other === undefined) found.push(`${name} should not be there`);
    else if (other !== object) found.push(`${name} has ${firstDifference(object, other)}`);
  }
  for (const name of should.keys()) if (!is.has(name)) found.push(`${name} is missing`);
  return found;
}

function firstDifference(is: string, should: string): string {
  const [have, want] = [is.split("\n"), should.split("\n")];
  const at = have.findIndex((line, i) => line !== want[i]);
  const show = (lines: readonly string[]): string => (lines[at < 0 ? lines.length - 1 : at] ?? "nothing more").trim();
  return `${show(have)} instead of ${show(want)}`;
}
