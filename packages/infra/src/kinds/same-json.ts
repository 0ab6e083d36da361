import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Whether two JSON documents hold the same, however they are spelled. What is no JSON is only the same as itself. */
export function sameJson(want: string, have: string): boolean {
  if (want === have) return true;
  try {
    return deepEqual(JSON.parse(want) as Json, JSON.parse(have) as Json);
  } catch {
    // One of them is no JSON, and they are not the same text.
    return false;
  }
}
