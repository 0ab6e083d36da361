import { contentVersion } from "../model/content-version.ts";
import type { Deliverable, SourceKey, SourceRef } from "../model/deliverable.ts";
import { sourceKey } from "../model/deliverable.ts";
import type { MutableCatalogue } from "../model/mutable-catalogue.ts";
import type { Dependents } from "./dependents.ts";
import type { ServiceUse } from "./draft.ts";
import { serviceBackendName } from "./draft.ts";
import type { FeedSettings } from "./feed-settings.ts";
import { serviceBackendSpec } from "./resolve/service-backend.ts";
import type { Dependency, Surroundings } from "./surroundings.ts";
import { observed } from "./surroundings.ts";

export interface ServiceBackendsOptions {
  readonly catalogue: MutableCatalogue;
  readonly around: Surroundings;
  readonly dependents: Dependents;
  readonly settings: FeedSettings;
}

interface Held {
  readonly use: ServiceUse;
  readonly ref: SourceRef;
  readonly users: Set<SourceKey>;
}

/** Backends made of Services: one for all that lead to it, there while somebody does. An endpoint's change costs one, whoever leads to it. */
export class ServiceBackends {
  readonly #options: ServiceBackendsOptions;
  readonly #held = new Map<SourceKey, Held>();

  constructor(options: ServiceBackendsOptions) {
    this.#options = options;
  }

  has(key: SourceKey): boolean {
    return this.#held.has(key);
  }

  /** One leads to these. They are in the catalogue afterwards. Returns their keys. */
  hold(user: SourceKey, uses: readonly ServiceUse[]): readonly SourceKey[] {
    return uses.map((use) => {
      const ref = refOf(use);
      const key = sourceKey(ref);
      const held = this.#held.get(key);
      if (held !== undefined) held.users.add(user);
      else {
        this.#held.set(key, { use, ref, users: new Set([user]) });
        this.refresh(key);
      }
      return key;
    });
  }

  /** One does not lead there any more, unless it is among those that it does. */
  release(user: SourceKey, uses: readonly ServiceUse[], still: ReadonlySet<SourceKey>): void {
    const { catalogue, dependents } = this.#options;
    for (const use of uses) {
      const ref = refOf(use);
      const key = sourceKey(ref);
      const held = this.#held.get(key);
      if (held === undefined || still.has(key)) continue;
      held.users.delete(user);
      if (held.users.size > 0) continue;
      this.#held.delete(key);
      dependents.set(key, new Set());
      catalogue.remove(ref);
    }
  }

  /** The Service or its endpoints may have changed. */
  refresh(key: SourceKey): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const { catalogue, around, dependents, settings } = this.#options;
    const seen = new Set<Dependency>();
    const looking = observed(around, seen);
    const spec = serviceBackendSpec(held.use, looking, settings);
    const { namespace, name } = held.use.service;
    const createdAt = looking.service(namespace, name)?.metadata.creationTimestamp ?? "1970-01-01T00:00:00Z";
    const content = { kind: held.use.kind, namespace: held.ref.namespace, name: held.ref.name, spec, createdAt };
    const deliverable: Deliverable = { ...content, version: contentVersion(content), labels: {}, source: held.ref };
    dependents.set(key, seen);
    catalogue.put(held.ref, [deliverable]);
  }
}

function refOf(use: ServiceUse): SourceRef & { readonly kind: ServiceUse["kind"] } {
  return { kind: use.kind, namespace: use.namespace, name: serviceBackendName(use) };
}
