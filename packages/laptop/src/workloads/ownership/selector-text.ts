import { formatLabelSelector } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { meta } from "@gatewright/kube/api";
import { selectorOf } from "./claims.ts";

/** A selector as a query has it. */
export function selectorText(selector: Immutable<meta.LabelSelector>): string {
  return formatLabelSelector(selectorOf(selector));
}
