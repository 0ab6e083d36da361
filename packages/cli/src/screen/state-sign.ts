import type { State } from "@gatewright/explain";
import type { Paint } from "./paint.ts";

interface Look {
  readonly sign: string;
  readonly style: Parameters<Paint>[0];
  readonly word: string;
}

/** How states look. The sign alone tells them apart, for those who see no colours. */
export const LOOKS: Readonly<Record<State, Look>> = {
  ok: { sign: "✓", style: "green", word: "live" },
  warning: { sign: "!", style: "yellow", word: "at risk" },
  waiting: { sign: "…", style: "yellow", word: "waiting" },
  broken: { sign: "✗", style: "red", word: "broken" },
  unknown: { sign: "?", style: "yellow", word: "unknown" },
};

export function signOf(state: State, paint: Paint): string {
  const { sign, style } = LOOKS[state];
  return paint(style, sign);
}
