import type { Difference } from "./difference.ts";
import { KNOWN } from "./known.ts";

/** How a case ended. */
export type Outcome =
  | { readonly type: "same"; readonly name: string }
  | { readonly type: "known"; readonly name: string; readonly reasons: readonly string[] }
  | { readonly type: "different"; readonly name: string; readonly differences: readonly Difference[] }
  /** It could not be run, or a known difference is gone. */
  | { readonly type: "failed"; readonly name: string; readonly why: string };

/** Judges the differences of a case against those that are known. Every known one must still be there. */
export function judge(name: string, found: readonly Difference[]): Outcome {
  const known = KNOWN.filter((each) => each.case === name);
  const place = ({ step, at }: Difference): string => `step ${step} ${at}`;
  const gone = known.find(({ at }) => !found.some((difference) => at.test(place(difference))));
  if (gone) return { type: "failed", name, why: `the known difference at ${gone.at} is gone: take it off the list` };
  const unlisted = found.filter((difference) => !known.some(({ at }) => at.test(place(difference))));
  if (unlisted.length > 0) return { type: "different", name, differences: unlisted };
  return known.length > 0
    ? { type: "known", name, reasons: known.map(({ reason }) => reason) }
    : { type: "same", name };
}
