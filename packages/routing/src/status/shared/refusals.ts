import { nextTurn } from "@gatewright/ports";
import type { Connections, Remark } from "../../distribution/connected-gateway.ts";
import type { Catalogue } from "../../model/catalogue.ts";
import type { DeliverableKey } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";

/** Objects looked at before others get a turn. */
const AT_ONCE = 200;

/** What is refused by some gateway: few, so that they can be looked through where all cannot. */
export class Refusals {
  readonly #connections: Pick<Connections, "standing">;
  readonly #catalogue: Pick<Catalogue, "all">;
  readonly #keys = new Set<DeliverableKey>();
  #changed: Set<DeliverableKey> | "all" = "all";

  constructor(connections: Pick<Connections, "standing">, catalogue: Pick<Catalogue, "all">) {
    this.#connections = connections;
    this.#catalogue = catalogue;
  }

  note(changed: ReadonlySet<DeliverableKey> | "all"): void {
    if (changed === "all") this.#changed = "all";
    else if (this.#changed !== "all") for (const key of changed) this.#changed.add(key);
  }

  /** Looks at what has changed, in turns. */
  async settle(signal: AbortSignal): Promise<void> {
    const changed = this.#changed === "all" ? Array.from(this.#catalogue.all(), deliverableKey) : this.#changed;
    if (this.#changed === "all") this.#keys.clear();
    this.#changed = new Set();
    let count = 0;
    for (const key of changed) {
      if (signal.aborted) return;
      const states = [...this.#connections.standing(key).values()];
      if (states.some(({ state }) => state === "refused")) this.#keys.add(key);
      else this.#keys.delete(key);
      if (++count % AT_ONCE === 0) await nextTurn();
    }
  }

  /** What one connection refused, the first few. */
  of(id: string, most: number): readonly Remark[] {
    const remarks: Remark[] = [];
    for (const key of [...this.#keys].toSorted()) {
      if (remarks.length >= most) break;
      for (const [view, standing] of this.#connections.standing(key)) {
        if (view.id === id && standing.state === "refused")
          remarks.push(...standing.remarks.filter((one) => one.refused).slice(0, 1));
      }
    }
    return remarks;
  }
}
