import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { textAt } from "../model/kube.ts";
import type { ShownKind } from "../model/kube.ts";
import { STATES } from "../model/state.ts";
import { go, href } from "../state/location.ts";
import type { Live, Shown } from "../state/live.ts";
import { standing, useSession } from "../state/session.ts";
import { Icon, StateIcon } from "./icons.tsx";

const MOST = 12;
/** What can be looked for by name before its page was opened. */
const SEARCHED = new Set([
  "Application",
  "GatewayHostnameRequest",
  "APIRoute",
  "GRPCRoute",
  "GraphQLRoute",
  "HTTPRoute",
  "Gateway",
  "Ingress",
]);

interface Found {
  readonly kind: ShownKind;
  readonly shown: Shown;
  readonly title: string;
}

/** Finds objects by name or hostname, among all that the page knows. */
export function SearchBox(): JSX.Element {
  const { live, kinds } = useSession();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const found = open && text.trim() !== "" ? search(text.trim().toLowerCase(), kinds, live) : [];
  useEffect(() => setAt(0), [text]);
  const choose = (each: Found | undefined): void => {
    if (each === undefined) return;
    const { namespace, name } = each.shown.object.metadata;
    setText("");
    setOpen(false);
    input.current?.blur();
    go(href("object", each.kind.id, namespace ?? "-", name));
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setAt((at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(found.length, 1));
    } else if (event.key === "Enter") choose(found[at]);
    else if (event.key === "Escape") {
      setText("");
      setOpen(false);
      input.current?.blur();
    }
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        id="search"
        type="text"
        role="combobox"
        aria-label="Search for an object or a hostname"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        {...(found.length > 0 && { "aria-activedescendant": `found-${at}` })}
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={key}
        onBlur={() => setOpen(false)}
      />
      {text === "" && (
        <kbd class="hint" aria-hidden="true">
          /
        </kbd>
      )}
      <ul id="found" role="listbox" aria-label="Found" class={found.length > 0 ? "found" : "hidden"}>
        {found.map((each, index) => (
          <li
            key={`${each.kind.id} ${each.title}`}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            class={`is-${standing(each.shown).state}`}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(each);
            }}
          >
            <StateIcon state={standing(each.shown).state} />
            <span class="name">{each.title}</span>
            <span class="kind">
              {each.kind.kind} {each.shown.object.metadata.namespace}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function search(wanted: string, kinds: readonly ShownKind[], live: Live): readonly Found[] {
  const found = kinds
    .filter(({ kind, made }) => made || SEARCHED.has(kind))
    .flatMap((kind) =>
      Array.from(live.kind(kind.id).value.objects.values(), (shown) => {
        const hostname = textAt(shown.object.spec, "hostname");
        return { kind, shown, title: hostname === "" ? shown.object.metadata.name : hostname };
      }),
    )
    .filter(({ title, shown }) => `${title} ${shown.object.metadata.name}`.toLowerCase().includes(wanted));
  const rank = ({ title, shown }: Found): number =>
    (title.toLowerCase().startsWith(wanted) ? 0 : 10) + STATES.indexOf(standing(shown).state);
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST);
}
