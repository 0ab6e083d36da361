import type { gatewayApi } from "@gatewright/gateway-wire";
import { differenceOf } from "../distribution/difference.ts";
import type { Difference, Held } from "../distribution/difference.ts";
import { deliverableKey } from "../model/deliverable.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { kindOf } from "../stream/wire/resource-bytes.ts";

type Told = Pick<gatewayApi.GetGatewayStatusResponse, "objects">;

/** What a gateway has: by its own word, and by what it took since. */
export class Holdings {
  readonly #held: Map<DeliverableKey, Held>;
  #moment = 0;
  #moving = false;

  constructor(told: Told) {
    this.#held = heldIn(told);
  }

  /** How that differs from what it is to have. `keeps`: what may stay beside it. */
  differing(set: readonly Deliverable[], keeps: (key: DeliverableKey) => boolean): Difference {
    return differenceOf(this.#held, set, keeps);
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
