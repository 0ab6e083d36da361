import { deepEqual, formatTime } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import { remembering } from "../memory.ts";
import { nameIn, SELDOM_MS, SOON_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** Secret or ConfigMap may not be as the outputs say. */
export const outputsStale: Policy = (seen) => {
  const { answers } = seen;
  if (answers.outputs === "written") return undefined;
  if (answers.outputs !== undefined) {
    // Not everything that may be in the way is watched.
    const isTaken = answers.outputs.reason === REASONS.OutputsTaken;
    return rest({ ...answers.outputs }, isTaken ? SOON_MS * 6 : SELDOM_MS);
  }
  return ask(
    { type: "writeOutputs" },
    { reason: REASONS.Applying, message: `${nameIn(seen)} is as the spec says; outputs are being written.` },
  );
};

/** Everything is as the spec says. What is declared no more was reset, and is forgotten. */
export const inSync: Policy = (seen) => {
  const { memory, declared, versions, answers, now, lookAgainMs } = seen;
  if (memory.resource === undefined) return undefined;
  const { versions: _, ...rest_ } = memory.resource;
  const resource = { ...rest_, fields: declared, ...(Object.keys(versions).length > 0 && { versions }) };
  const first = memory.lastSyncTime === undefined || answers.changed === true;
  const next = remembering(memory, {
    resource,
    plan: undefined,
    drift: undefined,
    ...(first && { lastSyncTime: formatTime(now) }),
  });
  if (!deepEqual(next as Json, memory as Json)) return remember(next);
  const message = `${nameIn(seen)} is as the spec says.`;
  return rest({ ready: "True", synced: "True", reason: REASONS.InSync, message }, lookAgainMs);
};
