import { formatLabelSelector, selectorFromObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { entries, structs } from "../resources/object-fields.ts";

/** A `metav1.LabelSelector` in the form of query strings; empty for a missing one and for one that selects everything. */
export function labelSelectorText(selector: JsonObject | undefined): string {
  return selector === undefined ? "" : formatLabelSelector(selectorFromObject(selector));
}

/** A selector as columns show it. */
export function labelSelectorCell(selector: JsonObject | undefined): string {
  return labelSelectorText(selector) || "<none>";
}

/** Whether a selector has no requirement at all. */
export function isEmptySelector(selector: JsonObject | undefined): boolean {
  return entries(selector, "matchLabels").length === 0 && structs(selector, "matchExpressions").length === 0;
}
