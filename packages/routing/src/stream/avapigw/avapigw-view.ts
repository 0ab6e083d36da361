import type { Connections } from "../../distribution/connected-gateway.ts";
import type { MutableCatalogue } from "../../model/mutable-catalogue.ts";
import type { DialectView } from "../dialect-view.ts";

/** The catalogue as gateways of AVAPIGW are given it. */
export interface AvapigwView extends DialectView {
  /** Past changes of `source` after this place are kept. */
  keepSince(needed: () => number): () => void;
}

export function avapigwView(
  { catalogue }: { readonly catalogue: MutableCatalogue; readonly connections: Connections },
  _signal: AbortSignal,
): AvapigwView {
  return {
    dialect: "avapigw",
    takesBatches: false,
    source: catalogue,
    known: () => [],
    originOf: (delivered) => delivered,
    keepSince: (needed) => catalogue.keepSince(needed),
  };
}
