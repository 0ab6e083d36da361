import { formatTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { remembering } from "../claim.ts";
import { remember, rest } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { drainMs, isAhead } from "./drain.ts";
import type { Policy } from "./policy.ts";

/** The alias has moved away from Gateways that are being left: from now on resolvers forget them. */
export const aliasHasLeft: Policy = ({ memory, now }) => {
  const { leaving = [] } = memory;
  if (leaving.every(({ loadBalancer }) => loadBalancer === undefined)) return undefined;
  const since = formatTime(now);
  return remember(
    remembering(memory, {
      leaving: leaving.map((each) => (each.loadBalancer === undefined ? each : { gateway: each.gateway, since })),
    }),
  );
};

/** Nobody is led to a Gateway that was left any more. */
export const leftForGood: Policy = (seen) => {
  const { memory } = seen;
  const { leaving } = memory;
  if (leaving === undefined) return undefined;
  if (leaving.some(({ since }) => isAhead(seen, since))) {
    const since = formatTime(seen.now);
    return remember(remembering(memory, { leaving: leaving.map((each) => ({ ...each, since })) }));
  }
  const stays = leaving.filter((each) => drainMs(seen, each.since) > 0);
  if (stays.length === leaving.length && leaving.length > 0) return undefined;
  return remember(remembering(memory, { leaving: stays.length === 0 ? undefined : stays }));
};

/** All is as it should be. */
export const everythingServes: Policy = (seen) => {
  const { claim, memory, place, gateway } = seen;
  const waits = (memory.leaving ?? []).map(({ since }) => drainMs(seen, since));
  if (gateway?.settlingMs !== undefined) waits.push(gateway.settlingMs);
  const note = place?.state === "refused" ? ` It is not moved: ${place.message}` : "";
  const failing = failingRenewal(seen);
  const message = `https://${claim.spec.hostname} is served by Gateway ${memory.gateway}.${note}${failing ?? ""}`;
  const reason = failing === undefined ? REASONS.Serving : REASONS.RenewalFails;
  return rest({ at: "Ready", status: "True", reason, message }, waits.length === 0 ? undefined : Math.min(...waits));
};

/** What is said of a renewal that fails; undefined: none does. */
function failingRenewal({ certificate }: Observation): string | undefined {
  const renewal = typeof certificate === "object" ? certificate.renewal : undefined;
  if (renewal?.status !== "FAILED") return undefined;
  return ` The renewal of its certificate fails${renewal.reason === undefined ? "" : `: ${renewal.reason}`}.`;
}
