import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { formatGoValue, goType } from "./go-value.ts";
import { patchFailed, patchRejected } from "./patch-error.ts";
import { identityOf, orderElements } from "./strategic-order.ts";

/** Merges two items that have the same merge key. */
export type MergeItem = (was: JsonObject, patch: JsonObject) => JsonObject;

/** Merges a patch's list into a live one by `key`, or as a set of scalars when the key is empty. */
export function mergeList(live: readonly Json[], patch: readonly Json[], key: string, mergeItem: MergeItem): Json[] {
  const first = live[0] ?? patch[0];
  if (first === undefined) return [];
  if (Array.isArray(first)) throw patchRejected("lists of lists are not supported");
  for (const item of [...live, ...patch]) requireSameKind(item, first, [live, patch]);
  if (!isObject(first)) return orderElements([...new Set([...live, ...patch])], patch, live, "");
  if (key === "") throw patchFailed("cannot merge lists without merge key for struct");
  const { kept, items, replaces } = obeyDirectives(live as JsonObject[], patch as JsonObject[], key);
  if (replaces) return items;
  const merged = [...kept];
  const places = new Map<Json, number>();
  kept.forEach((item, index) => {
    const id = getOwn(item, key);
    if (id !== undefined && !places.has(id)) places.set(id, index);
  });
  for (const item of items) {
    const id = identityOf(item, key);
    const place = places.get(id);
    if (place !== undefined) merged[place] = mergeItem(merged[place]!, item);
    else places.set(id, merged.push(item) - 1);
  }
  return orderElements(merged, items, kept, key);
}

/** Carries out the items that are directives: `$patch: delete` with a key, `$patch: replace` for the whole list. */
function obeyDirectives(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  key: string,
): {
  kept: readonly JsonObject[];
  items: JsonObject[];
  replaces: boolean;
} {
  let kept = live;
  let replaces = false;
  const items: JsonObject[] = [];
  for (const item of patch) {
    const directive = getOwn(item, "$patch");
    if (directive === undefined) {
      items.push(item);
    } else if (directive === "delete") {
      const gone = identityOf(item, key);
      kept = kept.filter((was) => getOwn(was, key) !== gone);
    } else if (directive === "replace") {
      replaces = true;
    } else if (directive === "merge") {
      throw patchFailed("merging lists cannot yet be specified in the patch");
    } else {
      throw patchFailed(`unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(item)}`);
    }
  }
  return { kept, items, replaces };
}

function requireSameKind(item: Json, first: Json, lists: readonly (readonly Json[])[]): void {
  if (item === null || first === null || goType(item) !== goType(first)) {
    throw patchFailed(`list element types are not identical: ${formatGoValue(lists.map((list) => [...list]))}`);
  }
}
