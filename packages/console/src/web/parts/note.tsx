import type { ComponentChildren, JSX } from "preact";
import type { State } from "../model/state.ts";
import { StateIcon } from "./icons.tsx";

/** Something that has to be said beside the content. Refusals are told to screen readers at once. */
export function Note({
  state,
  children,
}: {
  readonly state: State;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`note is-${state}`} role={state === "broken" ? "alert" : "status"}>
      <StateIcon state={state} />
      <div>{children}</div>
    </div>
  );
}
