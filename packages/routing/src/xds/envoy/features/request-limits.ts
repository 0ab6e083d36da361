import { BufferPerRouteSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

export interface RequestLimitsSpec {
  readonly maxBodySize?: number;
  readonly maxHeaderSize?: number;
}

/** What Envoy can count to. */
const MOST_BYTES = 0xffff_ffff;

/** How large requests may be. A body is held until it is whole, since Envoy has no other way to limit it. */
export function requestLimits({ maxBodySize = 0, maxHeaderSize = 0 }: RequestLimitsSpec, draft: RouteDraft): void {
  if (maxHeaderSize > 0)
    draft.close("requestLimits.maxHeaderSize", "the size of headers is limited for whole listeners");
  if (maxBodySize <= 0 || maxBodySize > MOST_BYTES) return;
  draft.filters.set(
    FILTERS.buffer,
    packed(BufferPerRouteSchema, { override: { case: "buffer", value: { maxRequestBytes: maxBodySize } } }),
  );
}
