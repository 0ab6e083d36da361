import type { Difference } from "./difference.ts";
import type { Known } from "./known.ts";

/** How a case ended. */
export type Outcome =
  | { readonly type: "same"; readonly name: string }
  | { readonly type: "known"; readonly name: string; readonly reasons: readonly string[] }
  | { readonly type: "different"; readonly name: string; readonly differences: readonly Difference[] }
  /** It could not be run, or a known difference is gone. */
  | { readonly type: "failed"; readonly name: string; readonly why: string };

/** Judges the differences of a case against those that are known. Every listed one must still be there, unless it may be gone. */
export function judge(name: string, found: readonly Difference[], { listed, changes }: Known): Outcome {
  const known = listed.filter((each) => each.case === name);
  const place = ({ step, at }: Difference): string => `step ${step} ${at}`;
  const gone = known.find(({ at, mayBeGone }) => !mayBeGone && !found.some((difference) => at.test(place(difference))));
  if (gone) return { type: "failed", name, why: `the known difference at ${gone.at} is gone: take it off the list` };
  const reasons = new Set<string>();
  const unlisted = found.filter((difference) => {
    const reason =
      known.find(({ at }) => at.test(place(difference)))?.reason ??
      changes.find((change) => change.explains(difference))?.what;
    if (reason !== undefined) reasons.add(reason);
    return reason === undefined;
  });
  if (unlisted.length > 0) return { type: "different", name, differences: unlisted };
  return reasons.size > 0 ? { type: "known", name, reasons: [...reasons] } : { type: "same", name };
}
