import type { JSX } from "preact";
import type { State } from "../model/state.ts";

/** Strokes on a grid of 16, in the colour of the text around. */
const PATHS = {
  overview: "M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z",
  applications: "M8 1.8 13.5 5v6L8 14.2 2.5 11V5zM2.7 5.1 8 8.1l5.3-3M8 8.1v6",
  hostnames:
    "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8h12.4M8 1.8c3.7 3.6 3.7 8.8 0 12.4M8 1.8c-3.7 3.6-3.7 8.8 0 12.4",
  gateways: "M2.5 14V7.5a5.5 5.5 0 0 1 11 0V14M5.8 14V8.2a2.2 2.2 0 0 1 4.4 0V14M1 14h14",
  routes: "M3.5 2.5v3a2 2 0 0 0 2 2h5a2 2 0 0 1 2 2v4M3.5 7.5v6M1.8 12l1.7 1.7L5.2 12M10.8 12l1.7 1.7 1.7-1.7",
  aws: "M4.6 12.5a3.1 3.1 0 0 1-.4-6.2 4 4 0 0 1 7.7-.4 3.3 3.3 0 0 1-.3 6.6z",
  events: "M1.5 8h3l2-5 3 10 2-5h3",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  plus: "M8 3v10M3 8h10",
  help: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM6.2 6.3c.2-2.3 3.8-2.2 3.6 0-.1 1.2-1.8 1.3-1.8 2.7M8 11.4v.3",
  arrow: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9",
  edit: "M10.5 2.8l2.7 2.7-7.4 7.4-3.3.6.6-3.3z",
  info: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.2v4M8 4.6v.4",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside words: it says nothing by itself. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** Each state has a shape of its own, for those who do not tell the colours apart. */
const SHAPES: Readonly<Record<State, { readonly outline: string; readonly sign: string }>> = {
  ok: { outline: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", sign: "M5 8.2l2.1 2.1L11 6" },
  warning: { outline: "M8 1.8 15 14H1z", sign: "M8 6.2v3.6M8 11.8v.2" },
  waiting: { outline: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", sign: "M8 4.6V8l2.3 1.6" },
  broken: {
    outline: "M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z",
    sign: "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  },
  unknown: {
    outline: "M8 1.2 14.8 8 8 14.8 1.2 8z",
    sign: "M6.6 6.6c.1-1.7 2.9-1.7 2.8 0-.1 1-1.4 1-1.4 2.1M8 10.7v.2",
  },
};

/** The sign of a state, in its colour. */
export function StateIcon({ state, size = 16 }: { readonly state: State; readonly size?: number }): JSX.Element {
  const { outline, sign } = SHAPES[state];
  return (
    <svg class="glyph" width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={outline} stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" />
      <path
        class={state === "waiting" ? "turning" : undefined}
        d={sign}
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The sign of the house. */
export function Logo(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#2f5bea" />
      <path
        d="M7 25V14a9 9 0 0 1 18 0v11M12 25V15a4 4 0 0 1 8 0v10"
        fill="none"
        stroke="#fff"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}
