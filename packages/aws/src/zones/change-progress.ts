import type { AwsCallError } from "../aws-call-error.ts";
import type { RecordSet } from "./record-set.ts";

/** How far an order is. */
export type ChangeProgress =
  /** Not sent, or sent and not answered. */
  | { readonly state: "waiting" }
  /** The zone has it; not all of its name servers do. The id is empty when the zone was found to have it already. */
  | { readonly state: "pending"; readonly changeId: string }
  /** Every name server of the zone answers so. */
  | { readonly state: "inSync" }
  /** This very order is at fault, others went through. `found`: what is at the names and types that it is about. */
  | {
      readonly state: "refused";
      readonly code: string;
      readonly message: string;
      readonly found?: readonly RecordSet[];
    }
  /** Not this order's fault: no rights, the zone is gone, throttled for too long. Ask again later. */
  | { readonly state: "failed"; readonly error: AwsCallError };

/** Whether nothing more comes of an order. */
export function hasEnded({ state }: ChangeProgress): boolean {
  return state === "inSync" || state === "refused" || state === "failed";
}
