/** One entry of a listing: something under a key, or all that share a prefix up to the delimiter. */
export type Entry<T> =
  | { readonly kind: "item"; readonly key: string; readonly item: T }
  | { readonly kind: "prefix"; readonly key: string };

/** A page of a listing. `next` is where the following one begins: after the last entry of this one. */
export interface ListingPage<T> {
  readonly entries: readonly Entry<T>[];
  readonly truncated: boolean;
}

/**
 * Takes items in the order of their keys and gives one page of them. What has the delimiter after the prefix is told once by its
 * common prefix; an item is skipped when it is not after `after`, and a prefix when it was told already.
 */
export function groupedPage<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
  {
    prefix,
    delimiter,
    after,
    most,
  }: { readonly prefix: string; readonly delimiter: string; readonly after: string; readonly most: number },
): ListingPage<T> {
  const entries: Entry<T>[] = [];
  let group: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const common = cut < 0 ? undefined : key.slice(0, cut + delimiter.length);
    if (common !== undefined && (common === group || (after !== "" && after.startsWith(common)))) continue;
    if (entries.length >= most) return { entries, truncated: most > 0 };
    group = common;
    entries.push(common === undefined ? { kind: "item", key, item } : { kind: "prefix", key: common });
  }
  return { entries, truncated: false };
}
