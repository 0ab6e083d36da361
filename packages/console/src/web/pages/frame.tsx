import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { keptToken } from "../../browser/kept-token.ts";
import { HelpDialog } from "../parts/help-dialog.tsx";
import { Icon, Logo } from "../parts/icons.tsx";
import { NamespaceChoice } from "../parts/namespace-choice.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { href, place } from "../state/location.ts";
import { useObservable } from "../state/observable.ts";
import { useSession } from "../state/session.ts";
import { PAGES } from "./page-table.ts";

const CONNECTION_WORDS = {
  connecting: "Connecting",
  live: "Live",
  lost: "Connecting again",
  "signed-out": "Signed out",
} as const;

/** What is around every page. */
export function Frame({
  children,
  signOut,
}: {
  readonly children: ComponentChildren;
  readonly signOut: () => void;
}): JSX.Element {
  const { user, live } = useSession();
  const { parts } = useObservable(place);
  const connection = useObservable(live.connection);
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  const [here = ""] = parts;
  const where = parts.join("/");
  const first = useRef(true);
  useKeys(() => setHelp(true));
  useEffect(() => {
    // Whoever goes to another page by keyboard begins at its top.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [where]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="top" role="banner">
        <SearchBox />
        <NamespaceChoice />
        <span class="grow" />
        <span class={`connection ${connection}`} role="status">
          <i aria-hidden="true" />
          {CONNECTION_WORDS[connection]}
        </span>
        <span class="who" title={`You are ${user.username}`}>
          {user.username}
        </span>
        {keptToken.get() !== undefined && (
          <button type="button" class="button small" onClick={signOut}>
            Sign out
          </button>
        )}
        <button type="button" class="button small bare" onClick={() => setHelp(true)} aria-label="Help: keys">
          <Icon name="help" />
        </button>
      </div>
      <nav class="side" aria-label="Pages">
        <a class="brand" href={href()}>
          <Logo />
          Gatewright
        </a>
        <ul>
          {PAGES.map(({ path, title, icon }) => (
            <li key={path}>
              <a href={path === "" ? href() : href(path)} {...(here === path && { "aria-current": "page" as const })}>
                <Icon name={icon} />
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href={href("new")} {...(here === "new" && { "aria-current": "page" as const })}>
              <Icon name="plus" />
              New
            </a>
          </li>
        </ul>
        <div class="foot">
          Press <kbd>?</kbd> for keys
        </div>
      </nav>
      <main class="main" id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      {help && <HelpDialog close={() => setHelp(false)} />}
    </div>
  );
}
