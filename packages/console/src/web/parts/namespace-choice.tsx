import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { go, place } from "../state/location.ts";
import { useKind, useSession } from "../state/session.ts";

/** Which namespace is looked at. Users who may not list namespaces write theirs. */
export function NamespaceChoice(): JSX.Element {
  const { namespace } = useSession();
  const known = useKind("namespaces");
  const [text, setText] = useState(namespace ?? "");
  const choose = (wanted: string): void => {
    const { pathname } = window.location;
    go(wanted === "" ? pathname : `${pathname}?ns=${encodeURIComponent(wanted)}`);
    // What is followed depends on it.
    place.set({ ...place.value });
  };
  if (known.standing === "forbidden") {
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(text.trim());
        }}
      >
        <input
          class="input"
          aria-label="Namespace"
          placeholder="Namespace"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    );
  }
  const names = new Set([...known.objects.keys(), ...(namespace === undefined ? [] : [namespace])]);
  return (
    <select
      class="input"
      aria-label="Namespace"
      value={namespace ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">All namespaces</option>
      {[...names].sort().map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
