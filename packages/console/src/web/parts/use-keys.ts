import { useEffect } from "preact/hooks";
import { later } from "../../browser/time.ts";
import { PAGES } from "../pages/page-table.ts";
import { go, href } from "../state/location.ts";

const SECOND_KEY_MS = 1_500;

/** Keys of the whole page. They do nothing while somebody writes. */
export function useKeys(help: () => void): void {
  useEffect(() => {
    let going = false;
    const key = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const page = going ? PAGES.find(({ letter }) => letter === event.key) : undefined;
      if (page !== undefined) go(page.path === "" ? href() : href(page.path));
      else if (event.key === "g") {
        going = true;
        later(SECOND_KEY_MS, () => (going = false));
        return;
      } else if (event.key === "/") document.getElementById("search")?.focus();
      else if (event.key === "?") help();
      else if (event.key === "n") go(href("new"));
      else return;
      going = false;
      event.preventDefault();
    };
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.matches("input, textarea, select") || target.closest("dialog") !== null)
  );
}
