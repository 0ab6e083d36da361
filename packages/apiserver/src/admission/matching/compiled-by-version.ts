import type { KubeObject } from "@gatewright/kube";

const MAX_ENTRIES = 1_000;

/** Keeps what was derived from an object until the object changes. */
export class CompiledByVersion<T> {
  readonly #compile: (object: KubeObject) => T;
  readonly #known = new Map<string, { readonly resourceVersion: string; readonly compiled: T }>();

  constructor(compile: (object: KubeObject) => T) {
    this.#compile = compile;
  }

  get(object: KubeObject): T {
    const { uid = "", resourceVersion = "" } = object.metadata;
    const known = this.#known.get(uid);
    if (known?.resourceVersion === resourceVersion) return known.compiled;
    const compiled = this.#compile(object);
    if (this.#known.size >= MAX_ENTRIES) this.#known.clear();
    this.#known.set(uid, { resourceVersion, compiled });
    return compiled;
  }
}
