import { recordKey } from "@gatewright/aws";
import type { RecordSet } from "@gatewright/aws";
import { REASONS } from "../../reasons.ts";
import { ask, rest } from "../decision.ts";
import type { Decision, Fact } from "../decision.ts";
import type { Publication } from "../publication.ts";
import type { Step } from "../steps.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";

/** What a record that is not (or no longer) as it should be needs next. Undefined: it is. */
export function unpublished(
  at: Step,
  record: RecordSet,
  state: Publication,
  more: Pick<Fact, "serving" | "undoing"> & { readonly patient?: boolean } = {},
): Decision | undefined {
  const which = `${record.type} ${record.name}`;
  const { patient = false, ...told } = more;
  switch (state.state) {
    case "done":
      return undefined;
    case "ask":
      return ask({ type: "changeRecord", key: recordKey(record), change: state.change, patient }, waiting());
    case "waiting":
      return rest(waiting(), AGAIN_MS);
    case "pending":
      return patient ? undefined : rest(waiting(), AGAIN_MS);
    case "conflict": {
      const message = `There is a record ${which} in the zone that was not made for this hostname: ${contentOf(state.found)}.`;
      return rest({ at, reason: REASONS.RecordConflict, message, ...told }, SELDOM_MS);
    }
    case "refused":
      return rest({ at, reason: REASONS.RecordRefused, message: `${which}: ${state.message}`, ...told }, SELDOM_MS);
    case "failed":
      return rest({ at, reason: REASONS.AwsCallFailed, message: state.message, ...told }, AGAIN_MS);
  }

  function waiting(): Fact {
    return { at, reason: REASONS.PendingChange, message: `Route 53 is changing ${which}.`, ...told };
  }
}

function contentOf({ alias, values = [] }: RecordSet): string {
  return alias === undefined ? values.join(", ") : `an alias of ${alias.dnsName}`;
}
