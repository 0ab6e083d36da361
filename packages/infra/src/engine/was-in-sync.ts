import type { Immutable } from "@gatewright/kube";
import { isTrue } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Managed } from "./aws-kind.ts";

/** Whether all was as the spec says at some time since it was last changed: what differs now, others have changed. */
export function wasInSync({ metadata, status }: Immutable<Managed>): boolean {
  const synced = status?.conditions?.find(({ type }) => type === "Synced");
  if (synced?.observedGeneration !== metadata.generation) return false;
  return isTrue(status?.conditions, "Synced") || synced?.reason === REASONS.Drifted.reason;
}
