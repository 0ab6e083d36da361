import { getOwn, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { EACH, removeAt, setAt, valueAt, visitHolders, visitValues } from "./field-path.ts";
import type { FieldPath } from "./field-path.ts";
import { isRecord } from "./json-text.ts";

/** A tree of the fields that stay: a node without children stays with all that is in it. */
export type AllowedTree = Map<string, AllowedTree>;

/** Paths as a tree; arrays are passed through, told or not. */
export function allowedTree(paths: readonly FieldPath[]): AllowedTree {
  const root: AllowedTree = new Map();
  for (const path of paths) {
    let at = root;
    const names = path.filter((step) => step !== EACH);
    for (const [index, name] of names.entries()) {
      const known = at.get(name);
      // A shorter path that allows everything below wins over a longer one.
      if (known !== undefined && known.size === 0) break;
      const next: AllowedTree = known ?? new Map();
      if (index === names.length - 1) next.clear();
      at.set(name, next);
      at = next;
    }
  }
  return root;
}

/** Only what is allowed, as a new value. Where objects were expected and something else is, nothing stays. */
export function onlyAllowed(value: Json, allowed: AllowedTree): Json | undefined {
  if (allowed.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => onlyAllowed(item, allowed)).filter((item) => item !== undefined);
  if (!isRecord(value)) return undefined;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const below = allowed.get(key);
    const found = below === undefined ? undefined : onlyAllowed(getOwn(value, key) ?? null, below);
    if (found !== undefined) setOwn(kept, key, found);
  }
  return kept;
}

/**
 * Moves a field to another place, in every item of the arrays that both paths have in common. Undefined when the paths lead through
 * different arrays.
 */
export function fieldMove(source: FieldPath, target: FieldPath): ((body: Json) => void) | undefined {
  const arrays = source.lastIndexOf(EACH) + 1;
  if (target.lastIndexOf(EACH) + 1 !== arrays) return undefined;
  if (!source.slice(0, arrays).every((step, at) => step === target[at])) return undefined;
  const [from, to] = [source.slice(arrays), target.slice(arrays)];
  if (from.length === 0 || to.length === 0) return undefined;
  return (body) =>
    visitValues(body, source.slice(0, arrays), (item) => {
      const value = valueAt(item, from);
      if (value === undefined) return;
      removeAt(item, from);
      setAt(item, to, value);
    });
}

/** Puts the fields of an object into the object that holds it, unless that has fields of these names. */
export function flatten(body: Json, path: FieldPath): void {
  visitHolders(body, path, (holder, name) => {
    const inner = getOwn(holder, name);
    if (!isRecord(inner)) return;
    delete holder[name];
    for (const key of Object.keys(inner))
      if (!Object.hasOwn(holder, key)) setOwn(holder, key, getOwn(inner, key) ?? null);
  });
}

/** Gathers fields in a new object, each under the last part of its name. What is missing is left out. */
export function group(body: Json, name: FieldPath, fields: readonly FieldPath[]): void {
  const gathered: JsonObject = {};
  for (const path of fields) {
    const value = valueAt(body, path);
    const last = path.at(-1);
    if (value === undefined || typeof last !== "string") continue;
    removeAt(body, path);
    setOwn(gathered, last, value);
  }
  if (Object.keys(gathered).length > 0) setAt(body, name, gathered);
}
