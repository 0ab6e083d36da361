import type { Remark } from "../distribution/connected-gateway.ts";
import type { ResourceType } from "./resource-types.ts";
import { SENDING_ORDER } from "./resource-types.ts";
import { TypedResources } from "./typed-resources.ts";

/**
 * All resources that some clients have in common, as of one generation. Whoever fills it says when a generation is whole; clients are
 * told nothing in between.
 */
export class ResourceSet {
  readonly #types = new Map<ResourceType, TypedResources>(SENDING_ORDER.map((type) => [type, new TypedResources()]));
  readonly #listeners = new Set<() => void>();
  #generation = 0;
  #revision = 0;
  #remarks: readonly Remark[] = [];

  /** The newest whole generation; 0: there is none yet. */
  get generation(): number {
    return this.#generation;
  }

  /** The revision of the catalogue that the newest generation is made of. */
  get revision(): number {
    return this.#revision;
  }

  /** What is served otherwise than its object says, whoever the client is. */
  get remarks(): readonly Remark[] {
    return this.#remarks;
  }

  of(type: ResourceType): TypedResources {
    return this.#types.get(type)!;
  }

  /** The next generation is whole: `change` makes it, with its number, of this revision. */
  advance(revision: number, change: (generation: number) => readonly Remark[]): void {
    this.#remarks = change(this.#generation + 1);
    this.#generation++;
    this.#revision = revision;
    for (const listener of this.#listeners) listener();
  }

  /** Told after each generation. Must not throw. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
