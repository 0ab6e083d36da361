import type { Difference } from "./difference.ts";
import type { Outcome } from "./outcome.ts";

const LONGEST = 700;
const MOST = 12;

/** What is to be said about cases that are not the same. Nothing about those that are. */
export function describeOutcome(outcome: Outcome): string[] {
  switch (outcome.type) {
    case "same":
    case "known":
      return [];
    case "failed":
      return [`FAILED ${outcome.name}`, `  ${outcome.why}`];
    case "different": {
      const shown = outcome.differences.slice(0, MOST).flatMap(describeDifference);
      const more = outcome.differences.length - MOST;
      return [`DIFFERENT ${outcome.name}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
    }
  }
}

function describeDifference({ step, at, real, embedded }: Difference): string[] {
  return [`  step ${step} ${at}`, `    real     ${shown(real)}`, `    embedded ${shown(embedded)}`];
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
