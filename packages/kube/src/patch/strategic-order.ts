import { getOwn, isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import { formatGoValue, goType } from "./go-value.ts";
import { patchFailed } from "./patch-error.ts";

/** What an element is known by: its merge key's value, or itself where there is no merge key. */
export function identityOf(item: Json, key: string): Json {
  if (key === "") return item;
  if (!isObject(item)) throw patchFailed(`expected a map[string]interface {}, but received a ${goType(item)}`);
  const id = getOwn(item, key);
  if (id === undefined) throw patchFailed(`map: ${formatGoValue(item)} does not contain declared merge key: ${key}`);
  return id;
}

function positions(order: readonly Json[], key: string): Map<Json, number> {
  const found = new Map<Json, number>();
  order.forEach((item, index) => {
    const id = identityOf(item, key);
    if (!found.has(id)) found.set(id, index);
  });
  return found;
}

/**
 * Elements that `wanted` names come in its order, the others in the order of `live`; each of the others goes before the
 * first named one that follows it in `live`.
 */
export function orderElements(
  merged: readonly Json[],
  wanted: readonly Json[],
  live: readonly Json[],
  key: string,
): Json[] {
  const inWanted = positions(wanted, key);
  const inLive = positions(live, key);
  const rank = (from: Map<Json, number>) => (item: Json) => from.get(identityOf(item, key)) ?? Number.POSITIVE_INFINITY;
  const byRank = (of: (item: Json) => number) => (a: Json, b: Json) => {
    const [left, right] = [of(a), of(b)];
    return left === right ? 0 : left - right;
  };
  const named = merged.filter((item) => inWanted.has(identityOf(item, key))).sort(byRank(rank(inWanted)));
  const others = merged.filter((item) => !inWanted.has(identityOf(item, key))).sort(byRank(rank(inLive)));
  const result: Json[] = [];
  let next = 0;
  for (const item of named) {
    const place = inLive.get(identityOf(item, key));
    while (place !== undefined && next < others.length && rank(inLive)(others[next]!) < place)
      result.push(others[next++]!);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

/** Refuses a patch list whose items are not in the order, or not in the list, that `$setElementOrder` gives. */
export function requireSameOrder(patch: readonly Json[], order: readonly Json[], key: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const plain = patch.filter((item) => !(isObject(item) && Object.hasOwn(item, "$patch")));
  let at = 0;
  for (const wanted of order) {
    if (at < plain.length && identityOf(plain[at]!, key) === identityOf(wanted, key)) at++;
  }
  if (at < plain.length) {
    throw patchFailed(
      `The order in patch list:\n${formatGoValue([...patch])}\n doesn't match $setElementOrder list:\n${formatGoValue([...order])}\n`,
    );
  }
}
