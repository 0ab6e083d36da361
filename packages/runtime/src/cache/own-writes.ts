import type { ApiObject, Immutable } from "@gatewright/kube";

/** More than ever wait for their event; a watch that is broken for long forgets them, and parses what it brings instead. */
const MOST = 10_000;

/** What this process wrote and the cache holds, by version, until the watch brings it too. */
export class OwnWrites<T extends ApiObject> {
  readonly #waiting = new Map<string, Immutable<T>>();

  add(object: Immutable<T>): void {
    if (this.#waiting.size >= MOST) this.#waiting.clear();
    this.#waiting.set(object.metadata.resourceVersion ?? "", object);
  }

  at(resourceVersion: string): Immutable<T> | undefined {
    return this.#waiting.get(resourceVersion);
  }

  /** The watch has brought a version. */
  seen({ metadata }: Immutable<T>): void {
    this.#waiting.delete(metadata.resourceVersion ?? "");
  }

  /** The watch begins anew, perhaps with another history. */
  clear(): void {
    this.#waiting.clear();
  }
}
