import { keyedPage } from "../keyed-page.ts";
import type { KeyedPage } from "../keyed-page.ts";
import { invalidParameter } from "./refusals.ts";

const USUAL_PAGE = 100;

/** The page after a token, in the order of keys. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  {
    maxResults: size = USUAL_PAGE,
    nextToken: token,
  }: { readonly maxResults?: number | undefined; readonly nextToken?: string | undefined },
): KeyedPage<T> {
  const sorted = items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const found = keyedPage(sorted, keyOf, { size, token });
  if (found === undefined) throw invalidParameter("nextToken", "must be a token that was given");
  return found;
}
