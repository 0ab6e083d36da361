import { keyOf, refOf } from "@gatewright/kube";
import type { ObjectKey, ObjectRef } from "@gatewright/kube";

/** Which providers depend on which Secrets: who is to be looked at when one changes. */
export class SecretFollowers {
  readonly #providers = new Map<string, Set<ObjectKey>>();
  readonly #secrets = new Map<ObjectKey, ReadonlySet<string>>();

  /** From now on a provider follows these, `namespace/name`, and no others. */
  follow(provider: ObjectRef, secrets: readonly string[]): void {
    const key = keyOf(provider);
    const wanted = new Set(secrets);
    for (const left of this.#secrets.get(key) ?? []) {
      if (wanted.has(left)) continue;
      const followers = this.#providers.get(left);
      followers?.delete(key);
      if (followers?.size === 0) this.#providers.delete(left);
    }
    for (const secret of wanted) {
      const followers = this.#providers.get(secret) ?? new Set();
      this.#providers.set(secret, followers.add(key));
    }
    if (wanted.size === 0) this.#secrets.delete(key);
    else this.#secrets.set(key, wanted);
  }

  of(secret: string): readonly ObjectRef[] {
    return Array.from(this.#providers.get(secret) ?? [], refOf);
  }
}
