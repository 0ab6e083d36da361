import { keyedPage } from "../keyed-page.ts";
import { invalidValue } from "./refusals.ts";

const USUAL_PAGE = 100;

/** What lists are asked for. */
interface Paging {
  readonly Marker?: string | undefined;
  readonly MaxItems?: number | undefined;
}

/** The page after a marker, in the order of keys. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { Marker: token, MaxItems: size = USUAL_PAGE }: Paging,
): { readonly items: readonly T[]; readonly more: { readonly IsTruncated: boolean; readonly Marker?: string } } {
  const sorted = items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const found = keyedPage(sorted, keyOf, { size, token });
  if (found === undefined) throw invalidValue("Invalid Marker.");
  const { items: shown, next } = found;
  return { items: shown, more: { IsTruncated: next !== undefined, ...(next !== undefined && { Marker: next }) } };
}
