import type { GroupResource, OwnerReference } from "@gatewright/kube";

/** An owner as a dependent names it. `blocking`: the owner's foreground deletion waits for the dependent. */
export interface OwnerLink {
  readonly uid: string;
  readonly blocking: boolean;
}

/** An object that has owners: all that the garbage collector remembers of it. */
export interface Dependent {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerLink[];
}

/** The owners that references name, and whether each has to wait for the dependent. */
export function ownerLinks(references: readonly OwnerReference[]): OwnerLink[] {
  return references.map(({ uid, blockOwnerDeletion }) => ({ uid, blocking: blockOwnerDeletion === true }));
}

/** Who depends on whom, by uid. Holds objects that have owners and nothing of those that have none. */
export class OwnerGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #byOwner = new Map<string, Set<string>>();

  get(uid: string): Dependent | undefined {
    return this.#dependents.get(uid);
  }

  /** Puts an object in, or replaces what was known of it. Returns the uids of owners that it no longer blocks. */
  set(dependent: Dependent): string[] {
    const before = this.#dependents.get(dependent.uid)?.owners ?? [];
    this.#unlink(dependent.uid, before);
    if (dependent.owners.length === 0) {
      this.#dependents.delete(dependent.uid);
    } else {
      this.#dependents.set(dependent.uid, dependent);
      for (const { uid } of dependent.owners) {
        const set = this.#byOwner.get(uid);
        if (set) set.add(dependent.uid);
        else this.#byOwner.set(uid, new Set([dependent.uid]));
      }
    }
    const blocked = new Set(dependent.owners.filter((o) => o.blocking).map((o) => o.uid));
    return before.filter((o) => o.blocking && !blocked.has(o.uid)).map((o) => o.uid);
  }

  /** Takes an object out. Returns the uids of all its owners. */
  remove(uid: string): string[] {
    const gone = this.#dependents.get(uid);
    if (!gone) return [];
    this.#dependents.delete(uid);
    this.#unlink(uid, gone.owners);
    return gone.owners.map((o) => o.uid);
  }

  /** The objects that name this owner, oldest link first. */
  dependentsOf(owner: string): Dependent[] {
    const found: Dependent[] = [];
    for (const uid of this.#byOwner.get(owner) ?? []) {
      const dependent = this.#dependents.get(uid);
      if (dependent) found.push(dependent);
    }
    return found;
  }

  /** The uids of objects for which a foreground deletion of this owner waits. */
  blockersOf(owner: string): string[] {
    return this.dependentsOf(owner)
      .filter((d) => d.owners.some((o) => o.uid === owner && o.blocking))
      .map((d) => d.uid);
  }

  hasDependents(owner: string): boolean {
    return this.#byOwner.has(owner);
  }

  #unlink(uid: string, owners: readonly OwnerLink[]): void {
    for (const owner of owners) {
      const set = this.#byOwner.get(owner.uid);
      if (set?.delete(uid) && set.size === 0) this.#byOwner.delete(owner.uid);
    }
  }
}
