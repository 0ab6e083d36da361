import type { JSX } from "preact";
import { STATE_WORDS } from "../model/state.ts";
import type { State } from "../model/state.ts";
import { StateIcon } from "./icons.tsx";

/** A state as colour, shape and word. */
export function StateBadge({ state, word }: { readonly state: State; readonly word?: string }): JSX.Element {
  return (
    <span class={`state is-${state}`}>
      <StateIcon state={state} size={14} />
      {word ?? STATE_WORDS[state]}
    </span>
  );
}
