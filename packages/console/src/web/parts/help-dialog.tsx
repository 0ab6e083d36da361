import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { PAGES } from "../pages/page-table.ts";

/** What keys do. */
export function HelpDialog({ close }: { readonly close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="help-title">
      <div class="body">
        <h2 id="help-title">Keys</h2>
        <dl class="help-keys">
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>search</dd>
          {PAGES.map(({ letter, title }) => (
            <>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{title}</dd>
            </>
          ))}
          <dt>
            <kbd>n</kbd>
          </dt>
          <dd>new object</dd>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>this</dd>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close</dd>
        </dl>
      </div>
      <footer>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </footer>
    </dialog>
  );
}
