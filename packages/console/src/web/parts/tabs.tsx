import type { ComponentChildren, JSX } from "preact";

export interface TabsProps<T extends string> {
  /** What the tabs are of. */
  readonly label: string;
  readonly tabs: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly choose: (tab: T) => void;
  readonly children: ComponentChildren;
}

/** Tabs as keyboards know them: arrows go from one to the next. */
export function Tabs<T extends string>({ label, tabs, chosen, choose, children }: TabsProps<T>): JSX.Element {
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(([id]) => id === chosen);
    const [next] = tabs[(at + step + tabs.length) % tabs.length] ?? [];
    if (next === undefined) return;
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([id, title]) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === chosen}
            aria-controls="tab-panel"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
}
