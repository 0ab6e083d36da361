import { sameRecord } from "@gatewright/aws";
import { parseTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { aliasRecords } from "../alias-records.ts";
import { recordSet, recordsOf } from "../claim.ts";
import { rest } from "../decision.ts";
import type { Observation } from "../observation.ts";
import type { Policy } from "./policy.ts";

/** Times of statuses are cut to seconds. */
const SECOND_MS = 1_000;

/**
 * A hostname that moves stays where it is served for a while after the new Gateway has its listener: targets are registered there, and
 * found healthy, only after that, and nothing that a claim can see tells when.
 */
export const newGatewayWarmsUp: Policy = (seen) => {
  const { claim, memory } = seen;
  const serving = (memory.leaving ?? []).filter(({ loadBalancer }) => loadBalancer !== undefined);
  const records = recordsOf(memory, "alias").map(recordSet);
  if (memory.loadBalancer === undefined || serving.length === 0 || records.length === 0) return undefined;
  const swapping = aliasRecords(claim, memory.loadBalancer).some((wanted) =>
    records.some((record) => sameRecord(record, wanted)),
  );
  const leftMs = swapping ? 0 : warmUpMs(seen, [attachedAt(seen), ...serving.map(({ since }) => parseTime(since))]);
  if (leftMs <= 0) return undefined;
  const message = `Gateway ${memory.gateway} has the hostname; DNS follows when its targets have had time to become healthy.`;
  return rest({ at: "DnsAliasReady", reason: REASONS.WarmingUp, message, serving: true }, leftMs);
};

/** When the new listener was first seen: now, where the status does not say it yet. */
function attachedAt({ claim, now }: Observation): number {
  const condition = claim.status?.conditions?.find(({ type }) => type === "ListenerAttached");
  return condition?.status === "True" ? (parseTime(condition.lastTransitionTime) ?? now) : now;
}

/** What is left since the last of these times. Times that are ahead, of a clock that was put back, tell nothing. */
function warmUpMs({ settings, now }: Observation, times: readonly (number | undefined)[]): number {
  const past = times.filter((time) => time !== undefined).filter((time) => time <= now + SECOND_MS);
  return Math.max(...past) + SECOND_MS + settings.drainMs - now;
}
