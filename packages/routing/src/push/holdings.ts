import type { gatewayApi } from "@gatewright/gateway-wire";
import { deliverableKey } from "../model/deliverable.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { kindOf } from "../stream/wire/resource-bytes.ts";

/** Something that a gateway has. */
export type Held = Pick<Deliverable, "kind" | "namespace" | "name" | "version">;

type Told = Pick<gatewayApi.GetGatewayStatusResponse, "objects">;

/** What a gateway has: by its own word, and by what it took since. */
export class Holdings {
  readonly #held: Map<DeliverableKey, Held>;
  #moment = 0;
  #moving = false;

  constructor(told: Told) {
    this.#held = heldIn(told);
  }

  /** What differs from what it is to have: what is set in its order, what goes with routes first. `keeps`: what stays beside it. */
  differing(
    set: readonly Deliverable[],
    keeps: (key: DeliverableKey) => boolean,
  ): { readonly set: readonly Deliverable[]; readonly removed: readonly Held[] } {
    const wanted = new Set(set.map(deliverableKey));
    const removed = [...this.#held].flatMap(([key, one]) => (wanted.has(key) || keeps(key) ? [] : [one]));
    return {
      set: set.filter((one) => this.#held.get(deliverableKey(one))?.version !== one.version),
      removed: removed.toSorted((one, other) => Number(isBackend(one)) - Number(isBackend(other))),
    };
  }

  /** Something is about to be asked of the gateway that changes what it has. */
  moves(): void {
    this.#moment++;
    this.#moving = true;
  }

  took(one: Held): void {
    this.#held.set(deliverableKey(one), one);
    this.#moving = false;
  }

  dropped(one: Pick<Held, "kind" | "namespace" | "name">): void {
    this.#held.delete(deliverableKey(one));
    this.#moving = false;
  }

  /** Names this moment, for {@link contradicts}. */
  get moment(): number {
    return this.#moving ? -1 : this.#moment;
  }

  /**
   * Whether what a gateway says, asked at a moment, is not what it has by all that is known: it began anew without what it had, or
   * somebody else gave or took something. Nothing is known when something was given or taken meanwhile.
   */
  contradicts(told: Told, asked: number): boolean {
    if (asked === -1 || asked !== this.moment) return false;
    const now = heldIn(told);
    if (now.size !== this.#held.size) return true;
    // What a gateway has something to say of it tells without a version.
    return [...this.#held].some(([key, { version }]) => {
      const one = now.get(key);
      return one === undefined || (one.version !== version && one.version !== "");
    });
  }
}

function isBackend({ kind }: Held): boolean {
  return kind.endsWith("Backend");
}

function heldIn({ objects }: Told): Map<DeliverableKey, Held> {
  return new Map(
    objects.flatMap(({ type, namespace, name, resourceVersion: version }) => {
      const kind = kindOf(type);
      if (kind === undefined) return [];
      const held = { kind, namespace, name, version };
      return [[deliverableKey(held), held] as const];
    }),
  );
}
