import type { JSX } from "preact";
import type { State } from "../model/state.ts";

/** How much of a limit is used. */
export function FillBar({
  label,
  used,
  most,
}: {
  readonly label: string;
  readonly used: number;
  readonly most: number;
}): JSX.Element {
  const share = most <= 0 ? 1 : Math.min(1, used / most);
  const state: State = share >= 1 ? "broken" : share >= 0.8 ? "warning" : "ok";
  return (
    <div class={`bar is-${state}`}>
      <div class="labels">
        <span>{label}</span>
        <span class="faint">
          {used} of {most}
          {state === "ok" ? "" : state === "warning" ? ", nearly full" : ", full"}
        </span>
      </div>
      <div
        class="track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={Math.min(used, most)}
      >
        <div class="fill" style={{ width: `${Math.max(share * 100, used > 0 ? 2 : 0)}%` }} />
      </div>
    </div>
  );
}
