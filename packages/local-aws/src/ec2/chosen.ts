import { checkId, notFound } from "./ids.ts";
import type { Kind } from "./ids.ts";

/** Those of the items that are asked for by id, or all when none is. Refuses what is no id, and ids of nothing. */
export function chosen<T>(
  kind: Kind,
  items: readonly T[],
  idOf: (item: T) => string,
  ids: readonly string[] | undefined,
): readonly T[] {
  if (ids === undefined || ids.length === 0) return items;
  for (const id of ids) checkId(kind, id);
  const known = new Map(items.map((item) => [idOf(item), item] as const));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) throw notFound(kind, missing);
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
}
