import type { KnownRemarks } from "../distribution/connected-gateway.ts";
import type { ChangeSource } from "../distribution/follow-changes.ts";
import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { MOST_BYTES } from "./wire/bodies.ts";
import { resourceBytes } from "./wire/resource-bytes.ts";

/** The catalogue as gateways of one dialect are given it. One for all of them. */
export interface DialectView {
  readonly dialect: "gatewright" | "avapigw";
  /** Whether several changes fit into one update, and gateways say what they hold. */
  readonly takesBatches: boolean;
  readonly source: ChangeSource;
  /** What is known of deliverables of the catalogue before a gateway says anything. */
  readonly known: KnownRemarks;
  /** What of the catalogue something of `source` comes from. */
  originOf(delivered: Deliverable): Deliverable;
}

/** Our own gateways take everything as it is. */
export function ownView(catalogue: Catalogue): DialectView {
  return {
    dialect: "gatewright",
    takesBatches: true,
    source: catalogue,
    known: (deliverable) => (isSendable(deliverable) ? [] : [tooLarge(deliverable)]),
    originOf: (delivered) => delivered,
  };
}

/** Whether it fits into a message. */
export function isSendable(deliverable: Deliverable): boolean {
  return resourceBytes(deliverable).byteLength < MOST_BYTES;
}

function tooLarge(deliverable: Deliverable) {
  const message = `is too large for a message: ${MOST_BYTES} bytes at most`;
  return { key: deliverableKey(deliverable), version: deliverable.version, refused: true, field: "spec", message };
}
