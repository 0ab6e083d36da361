import { getOwn } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { isRecord } from "../transform/json-text.ts";

/** A place in a document, as references write it: `/paths/~1users/get`. */
export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What is at a place of a document. Never reaches a prototype. */
export function atPointer(document: Json, pointer: string): Json | undefined {
  let at: Json | undefined = document;
  for (const key of pointer.split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined;
    else at = isRecord(at) ? getOwn(at, name) : undefined;
  }
  return at;
}
