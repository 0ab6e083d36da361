import type { Connection, GatewayIdentity } from "../distribution/connected-gateway.ts";
import type { ChangePace } from "../distribution/change-pace.ts";
import { followChanges } from "../distribution/follow-changes.ts";
import type { Batch } from "../distribution/batch.ts";
import type { Remark } from "../distribution/connected-gateway.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { ResourceSet } from "./resource-set.ts";

/** Makes resources of what clients are to have, batch by batch. */
export interface Translation {
  /** Changes the resources to what they are after a batch. Returns what is served otherwise than objects say, all of it. */
  apply(batch: Batch, resources: ResourceSet, generation: number): readonly Remark[];
}

export interface ViewsOptions {
  readonly catalogue: Catalogue;
  readonly pace: ChangePace;
  /** A translation for clients that are like this one. */
  readonly translation: (gateway: GatewayIdentity) => Translation;
}

interface View {
  readonly resources: ResourceSet;
  users: number;
  readonly stop: AbortController;
}

/**
 * The resources of clients: those that are to have the same share them. Two are alike when they differ in nothing but the pod that
 * they run in: all replicas of a gateway are one view.
 */
export class Views {
  readonly #options: ViewsOptions;
  readonly #views = new Map<string, View>();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get size(): number {
    return this.#views.size;
  }

  /** The resources for a client, kept up to date until it lets go of them. */
  open(connection: Connection): { readonly resources: ResourceSet; release(): void } {
    const key = likeness(connection.gateway);
    const view = this.#views.get(key) ?? this.#start(key, connection);
    view.users++;
    let isHeld = true;
    return {
      resources: view.resources,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        view.users--;
        if (view.users > 0) return;
        view.stop.abort();
        this.#views.delete(key);
      },
    };
  }

  #start(key: string, connection: Connection): View {
    const view: View = { resources: new ResourceSet(), users: 0, stop: new AbortController() };
    this.#views.set(key, view);
    void this.#follow(view, connection);
    return view;
  }

  async #follow({ resources, stop }: View, connection: Connection): Promise<void> {
    const { catalogue, pace, translation } = this.#options;
    const made = translation(connection.gateway);
    const selects = connection.selects.bind(connection);
    for await (const batch of followChanges({ catalogue, pace, selects }, stop.signal))
      resources.advance(batch.through, (generation) => made.apply(batch, resources, generation));
  }
}

function likeness({ namespace, name, dialect, labels, namespaces }: GatewayIdentity): string {
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, dialect, sorted, namespaces.toSorted()]);
}
