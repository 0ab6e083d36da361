import { getOwn, isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ListType, ObjectType, TypeNode } from "../type-node.ts";
import { childType, shapeOf } from "./child-type.ts";
import { itemNaming } from "./list-item.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Lays an applied configuration over a live object: leaves of the configuration win, objects merge by key, lists by the
 * identity of their items. Nothing is removed. The result shares what did not change. Throws UnnamedItem.
 */
export function mergeApplied(live: JsonObject, applied: JsonObject, type: ObjectType): JsonObject {
  return (mergeValue(live, applied, type) ?? {}) as JsonObject;
}

type MaybeJson = Json | undefined;

function mergeValue(live: MaybeJson, applied: MaybeJson, type: TypeNode): MaybeJson {
  if (applied === undefined || live === applied) return live;
  const shape = shapeOf(type, applied);
  if (shape.kind === "object") {
    const [left, right] = [isObject(live) ? live : {}, isObject(applied) ? applied : {}];
    if (isEmpty(left) && isEmpty(right)) return applied;
    return mergeObjects(left, right, shape.type);
  }
  if (shape.kind === "list") {
    const [left, right] = [Array.isArray(live) ? live : [], Array.isArray(applied) ? applied : []];
    if (left.length === 0 && right.length === 0) return applied;
    return mergeLists(left, right, shape.type);
  }
  return applied;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function mergeObjects(live: JsonObject, applied: JsonObject, type: ObjectType): JsonObject {
  const result = { ...live };
  for (const key in applied) {
    const merged = mergeValue(getOwn(live, key), applied[key], childType(type, key));
    if (merged !== undefined) setOwn(result, key, merged);
  }
  return result;
}

/** One side of a list merge: item identities in order, and the item of each. */
interface Side {
  readonly names: readonly PathElement[];
  readonly items: ReadonlyMap<PathElement, Json>;
}

/**
 * Items in both lists follow the applied order; those only in the live list stay where they stood between them. A live item
 * whose identity is not unique is not merged into.
 */
function mergeLists(live: readonly Json[], applied: readonly Json[], type: ListType): Json[] {
  const nameOf = itemNaming(type);
  const [left, right] = [sideOf(live, nameOf), sideOf(applied, nameOf)];
  const shared = right.names.filter((name) => left.items.has(name));
  const done = new Set<PathElement>();
  const result: Json[] = [];
  let nextShared = 0;
  const take = (name: PathElement): void => {
    done.add(name);
    const was = left.items.get(name);
    result.push(mergeValue(was ?? undefined, right.items.get(name), type.element)!);
    if (shared[nextShared] === name) nextShared++;
  };
  let l = 0;
  let r = 0;
  while (l < left.names.length || r < right.names.length) {
    const name = left.names[l];
    if (name !== undefined && r < right.names.length) {
      if (name === right.names[r]) {
        take(name);
        l++;
        r++;
        continue;
      }
      if (right.items.has(name) && nextShared < shared.length && shared[nextShared] !== name) {
        l++;
        continue;
      }
    }
    if (name !== undefined) {
      if (!right.items.has(name)) {
        result.push(live[l]!);
        l++;
        continue;
      }
      if (done.has(name)) l++;
    }
    if (r < right.names.length) take(right.names[r++]!);
  }
  return result;
}

function sideOf(list: readonly Json[], nameOf: (item: Json) => PathElement): Side {
  const names: PathElement[] = [];
  const items = new Map<PathElement, Json>();
  for (const item of list) {
    const name = nameOf(item);
    items.set(name, items.has(name) ? null : item);
    names.push(name);
  }
  return { names, items };
}
