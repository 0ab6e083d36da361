import { deepFreeze } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Entry } from "./store.ts";

/** Encoded size of all kept objects together. Decoded, they cost five to seven times as much. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Decoded forms of the entries that were used last, frozen, since all readers share them. */
export class DecodedObjects {
  readonly #objects = new Map<Entry, KubeObject>();
  #bytes = 0;

  /** Keeps an object that is decoded already, and freezes it. */
  add(entry: Entry, object: KubeObject): void {
    deepFreeze(object);
    this.#objects.set(entry, object);
    this.#bytes += entry.bytes.length;
    for (const oldest of this.#objects.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#objects.delete(oldest);
      this.#bytes -= oldest.bytes.length;
    }
  }

  get(entry: Entry): KubeObject {
    const kept = this.#objects.get(entry);
    if (kept !== undefined) {
      this.#objects.delete(entry);
      this.#objects.set(entry, kept);
      return kept;
    }
    const object = JSON.parse(entry.bytes.toString()) as KubeObject;
    this.add(entry, object);
    return object;
  }
}
