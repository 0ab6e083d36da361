import { deepEqual } from "../json/equal.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ListType, ObjectType, TypeNode } from "../type-node.ts";
import { childType, shapeOf } from "./child-type.ts";
import type { Shape } from "./child-type.ts";
import { insertPath } from "./field-set.ts";
import type { FieldSet, FieldSetBuilder } from "./field-set.ts";
import { itemNaming } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** What changed between two values. No path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of a type. Parts that are the same object are not looked into. Throws UnnamedItem. */
export function compare(before: JsonObject, after: JsonObject, type: ObjectType): Comparison {
  const walk = new Walk();
  walk.value(before, after, type);
  return walk;
}

type MaybeJson = Json | undefined;

class Walk {
  readonly added: FieldSetBuilder = new Map();
  readonly modified: FieldSetBuilder = new Map();
  readonly removed: FieldSetBuilder = new Map();
  readonly #path: PathElement[] = [];

  value(before: MaybeJson, after: MaybeJson, type: TypeNode): void {
    if (before === after) return;
    const [was, is] = [shapeOf(type, before), shapeOf(type, after)];
    let wasLeaf = false;
    if (before !== undefined && after !== undefined && was.kind !== is.kind) {
      this.#as(was, before, after);
      wasLeaf = this.#as(is, before, after);
    } else {
      wasLeaf = this.#as(after === undefined ? was : is, before, after);
    }
    if (wasLeaf) return;
    if (before === undefined) insertPath(this.added, this.#path);
    else if (after === undefined) insertPath(this.removed, this.#path);
  }

  /** Returns whether the values were taken as one. Containers that are both empty are, to tell null from empty. */
  #as(shape: Shape, before: MaybeJson, after: MaybeJson): boolean {
    if (shape.kind === "object") {
      const [left, right] = [objectOrNone(before), objectOrNone(after)];
      if (left !== undefined || right !== undefined) {
        this.#objects(left ?? {}, right ?? {}, shape.type);
        return false;
      }
    } else if (shape.kind === "list") {
      const [left, right] = [listOrNone(before), listOrNone(after)];
      if (left !== undefined || right !== undefined) {
        this.#lists(left ?? [], right ?? [], shape.type);
        return false;
      }
    }
    if (before === undefined) insertPath(this.added, this.#path);
    else if (after === undefined) insertPath(this.removed, this.#path);
    else if (!deepEqual(before, after)) insertPath(this.modified, this.#path);
    return true;
  }

  #objects(before: JsonObject, after: JsonObject, type: ObjectType): void {
    for (const key in before) this.#child(fieldElement(key), before[key], getOwn(after, key), childType(type, key));
    for (const key in after) {
      if (!Object.hasOwn(before, key)) this.#child(fieldElement(key), undefined, after[key], childType(type, key));
    }
  }

  #child(element: PathElement, before: MaybeJson, after: MaybeJson, type: TypeNode): void {
    if (before === after) return;
    this.#path.push(element);
    this.value(before, after, type);
    this.#path.pop();
  }

  #lists(before: readonly Json[], after: readonly Json[], type: ListType): void {
    if (deepEqual(before as Json[], after as Json[])) return;
    const nameOf = itemNaming(type);
    const [left, right] = [groupByName(before, nameOf), groupByName(after, nameOf)];
    for (const [name, items] of left) this.#items(name, items, right.get(name) ?? [], type.element);
    for (const [name, items] of right) if (!left.has(name)) this.#items(name, [], items, type.element);
  }

  /** Items that share an identity are compared as one. */
  #items(name: PathElement, before: readonly Json[], after: readonly Json[], type: TypeNode): void {
    if (before.length < 2 && after.length < 2) {
      this.#child(name, before[0], after[0], type);
    } else if (before.length > 1 && after.length > 1) {
      if (!deepEqual([...before], [...after])) insertPath(this.modified, [...this.#path, name]);
    } else if (before.length > 1) {
      this.#child(name, undefined, after[0], type);
      insertPath(this.removed, [...this.#path, name]);
    } else {
      this.#child(name, before[0], undefined, type);
      insertPath(this.added, [...this.#path, name]);
    }
  }
}

function objectOrNone(value: MaybeJson): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

function listOrNone(value: MaybeJson): readonly Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function groupByName(items: readonly Json[], nameOf: (item: Json) => PathElement): Map<PathElement, Json[]> {
  const groups = new Map<PathElement, Json[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
