import { getOwn, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { isRecord } from "./json-text.ts";

/**
 * A place in a JSON body: names of fields, and `EACH` for every item of an array. Where a body has an array and the path has no
 * `EACH`, its items are meant as well.
 */
export type FieldPath = readonly (string | typeof EACH)[];

/** Every item of an array. */
export const EACH = Symbol("each");

/** Reads `items[].owner.name`; a dot in a name is written `\.`. Undefined when it is none. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const path: (string | typeof EACH)[] = [];
  const part = /((?:[^.[\]\\]|\\.)*)((?:\[\])*)(\.|$)/y;
  while (part.lastIndex < text.length || path.length === 0) {
    const found = part.exec(text);
    if (found === null) return undefined;
    const [, name = "", items = "", end] = found;
    if (name === "" && (items === "" || path.length > 0)) return undefined;
    if (name !== "") path.push(name.replace(/\\(.)/g, "$1"));
    for (let count = items.length / 2; count > 0; count--) path.push(EACH);
    if (end === "." && part.lastIndex === text.length) return undefined;
  }
  return path;
}

/** The value at a path, the first one if there are several. */
export function valueAt(value: Json | undefined, path: FieldPath, from = 0): Json | undefined {
  if (value === undefined || from === path.length) return value;
  const step = path[from];
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = valueAt(item, path, step === EACH ? from + 1 : from);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return typeof step === "string" && isRecord(value) ? valueAt(getOwn(value, step), path, from + 1) : undefined;
}

/** Shows every object that holds the last name of a path (which ends with a name), whether or not it has that field. */
export function visitHolders(
  value: Json | undefined,
  path: FieldPath,
  visit: (holder: JsonObject, name: string) => void,
  from = 0,
): void {
  const step = path[from];
  if (Array.isArray(value)) {
    const next = step === EACH ? from + 1 : from;
    for (const item of value) visitHolders(item, path, visit, next);
  } else if (typeof step === "string" && isRecord(value)) {
    if (from === path.length - 1) visit(value, step);
    else visitHolders(getOwn(value, step), path, visit, from + 1);
  }
}

/** Shows every value at a path. */
export function visitValues(value: Json | undefined, path: FieldPath, visit: (value: Json) => void, from = 0): void {
  if (value === undefined) return;
  if (from === path.length) return visit(value);
  const step = path[from];
  if (Array.isArray(value)) {
    for (const item of value) visitValues(item, path, visit, step === EACH ? from + 1 : from);
  } else if (typeof step === "string" && isRecord(value)) {
    visitValues(getOwn(value, step), path, visit, from + 1);
  }
}

/** Sets a field, making the objects on its way. Items that are no objects, and values in the way, stay as they are. */
export function setAt(value: Json, path: FieldPath, given: Json, from = 0): void {
  const step = path[from];
  if (Array.isArray(value)) {
    for (const item of value) setAt(item, path, given, step === EACH ? from + 1 : from);
    return;
  }
  if (typeof step !== "string" || !isRecord(value)) return;
  if (from === path.length - 1) return setOwn(value, step, given);
  let next = getOwn(value, step);
  if (next === undefined || next === null) {
    if (path[from + 1] === EACH) return;
    next = {};
    setOwn(value, step, next);
  }
  setAt(next, path, given, from + 1);
}

/** Takes a field away wherever the path leads. A path that ends with `[]` empties the array. */
export function removeAt(value: Json, path: FieldPath): void {
  if (path.at(-1) === EACH) {
    visitValues(value, path.slice(0, -1), (found) => {
      if (Array.isArray(found)) found.length = 0;
    });
    return;
  }
  visitHolders(value, path, (holder, name) => {
    if (Object.hasOwn(holder, name)) delete holder[name];
  });
}
