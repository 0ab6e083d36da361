import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { steadyName } from "../steady-name.ts";

/**
 * A name for the next slice of a Service. It looks like a generated one, but comes in a fixed order: a slice that is made again, because
 * the answer was lost or the cache is old, is there already.
 */
export function sliceName(
  { metadata: { name = "", uid = "" } }: Immutable<core.Service>,
  addressType: string,
  taken: ReadonlySet<string>,
): string {
  for (let ordinal = 0; ; ordinal++) {
    const candidate = steadyName(`${name}-`, `${uid}/${addressType}`, ordinal);
    if (!taken.has(candidate)) return candidate;
  }
}
