import type { Json } from "./json.ts";

/** Freezes a value and everything below it, so that it can be shared. */
export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    // Every object that is read comes through here: no list of values is made, and texts and numbers are passed over.
    for (const key of Object.keys(value)) {
      const child = (value as Readonly<Record<string, Json>>)[key];
      if (typeof child === "object") deepFreeze(child);
    }
  }
  return value;
}
