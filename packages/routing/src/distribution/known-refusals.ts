import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import type { KnownRemarks, Remark } from "./connected-gateway.ts";

/** What gateways of a dialect are known to refuse, for all of them. Asked often: it costs what has changed since it was asked last. */
export class KnownRefusals {
  readonly known: KnownRemarks;
  readonly #catalogue: Catalogue;
  readonly #refused = new Map<DeliverableKey, Deliverable>();
  #through = 0;

  constructor(catalogue: Catalogue, known: KnownRemarks) {
    this.#catalogue = catalogue;
    this.known = known;
  }

  /** What is known of these has changed. */
  touch(keys: ReadonlySet<DeliverableKey>): void {
    for (const key of keys) this.#look(key);
  }

  /** What is refused now. */
  all(): Iterable<Deliverable> {
    const changes = this.#catalogue.since(this.#through) ?? this.#catalogue.since(0) ?? [];
    this.#through = this.#catalogue.revision;
    for (const key of this.#refused.keys()) if (this.#catalogue.get(key) === undefined) this.#refused.delete(key);
    for (const { key } of changes) this.#look(key);
    return this.#refused.values();
  }

  #look(key: DeliverableKey): void {
    const deliverable = this.#catalogue.get(key)?.deliverable;
    if (deliverable !== undefined && isRefused(this.known(deliverable), deliverable))
      this.#refused.set(key, deliverable);
    else this.#refused.delete(key);
  }
}

/** The first of the remarks that refuses this version. */
export function refusalAmong(remarks: readonly Remark[], { version }: Deliverable): Remark | undefined {
  return remarks.find((remark) => remark.refused && remark.version === version);
}

/** Whether one of the remarks refuses this version. */
export function isRefused(remarks: readonly Remark[], deliverable: Deliverable): boolean {
  return refusalAmong(remarks, deliverable) !== undefined;
}
