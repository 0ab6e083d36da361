import { observable } from "./observable.ts";

const BASE = "/console/";

/** Where the page is: the parts of its path after `/console/`, and its query. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const place = observable<Place>(placeNow());

function placeNow(): Place {
  const { pathname, search } = window.location;
  const parts = pathname
    .slice(BASE.length)
    .split("/")
    .filter((part) => part !== "");
  return { parts: parts.map(decoded), query: new URLSearchParams(search) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place; the namespace that is looked at stays. */
export function href(...parts: readonly string[]): string {
  const namespace = place.value.query.get("ns");
  const path = BASE + parts.map(encodeURIComponent).join("/");
  return namespace === null ? path : `${path}?ns=${encodeURIComponent(namespace)}`;
}

/** Goes there without loading the page anew. */
export function go(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
  place.set(placeNow());
  if (how === "push") window.scrollTo(0, 0);
}

/** Follows links within the console and the browser's own buttons. */
export function followPlaces(): void {
  window.addEventListener("popstate", () => place.set(placeNow()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== window.location.origin || link.target !== "" || link.hash !== "") return;
    if (!link.pathname.startsWith(BASE)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
