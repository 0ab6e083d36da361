import { formatLabelSelector, selectorFromObject } from "@gatewright/kube";
import type { Immutable, JsonObject } from "@gatewright/kube";
import type { meta } from "@gatewright/kube/api";

/** A selector of an object, as lists take it. */
export function selectorText(selector: Immutable<meta.LabelSelector> | undefined): string {
  return formatLabelSelector(selectorFromObject((selector ?? {}) as unknown as JsonObject));
}
