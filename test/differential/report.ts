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
      const telling = tellingDifferences(outcome.differences);
      const shown = telling.slice(0, MOST).flatMap(describeDifference);
      const more = telling.length - MOST;
      return [`DIFFERENT ${outcome.name}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
    }
  }
}

/** Where the status differs everything does: the message says why. */
function tellingDifferences(all: readonly Difference[]): readonly Difference[] {
  const byStatus = new Set(all.filter(({ at }) => at === "status").map(({ step }) => step));
  return all.filter(({ step, at }) => !byStatus.has(step) || at === "status" || at === "body.message");
}

function describeDifference({ step, at, real, embedded }: Difference): string[] {
  return [`  step ${step} ${at}`, `    real     ${shown(real)}`, `    embedded ${shown(embedded)}`];
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
