import { getOwn, isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import type { ListType } from "../type-node.ts";
import { keyElement, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** Why an item cannot be told from the others of its list. */
export class UnnamedItem extends Error {}

/**
 * Gives the step that leads to an item of a set or of a list of objects with keys. Keys that an item leaves out count with
 * their default. The returned function throws {@link UnnamedItem}.
 */
export function itemNaming(list: ListType): (item: Json) => PathElement {
  if (list.mode === "set") return setElement;
  const keys = list.keys.length > 1 ? list.keys.toSorted() : list.keys;
  const { element } = list;
  const defaults = keys.map((key) => (element.kind === "object" ? element.field(key)?.default : undefined));
  return (item) => {
    if (item === null) throw new UnnamedItem("associative list with keys may not have a null element");
    if (!isObject(item)) throw new UnnamedItem("associative list with keys may not have non-map elements");
    const named: [string, Json][] = [];
    keys.forEach((key, i) => {
      const value = getOwn(item, key) ?? defaults[i];
      if (value !== undefined) named.push([key, value]);
    });
    if (named.length === 0) {
      const shown = list.keys.map((key) => JSON.stringify(key)).join(" ");
      throw new UnnamedItem(
        `associative list with keys has an element that omits all key fields [${shown}] (and doesn't have default values for any key fields)`,
      );
    }
    return keyElement(named);
  };
}

function setElement(item: Json): PathElement {
  if (item === null) throw new UnnamedItem("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new UnnamedItem("not supported: associative list with lists as elements");
  if (isObject(item)) throw new UnnamedItem("associative list without keys has an element that's a map type");
  return valueElement(item);
}
