import { REASONS } from "../../reasons.ts";
import { rest } from "../decision.ts";
import { SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** Somebody deletes it in AWS: nothing can be done to it until it is gone. */
export const going: Policy = ({ resource }) => {
  if (resource.is !== "present" || resource.state.is !== "going") return undefined;
  const { message, pollMs } = resource.state;
  return rest({ ready: "False", reason: REASONS.Going, message }, pollMs);
};

/** It is there and does not work. */
export const failed: Policy = ({ resource, lookAgainMs }) => {
  if (resource.is !== "present" || resource.state.is !== "failed") return undefined;
  const { message } = resource.state;
  return rest({ ready: "False", reason: REASONS.Failed, message }, Math.min(lookAgainMs, SELDOM_MS));
};

/** AWS works on it and takes no changes. */
export const busy: Policy = ({ resource }) => {
  if (resource.is !== "present" || resource.state.is !== "busy" || resource.state.changeable === true) return undefined;
  const { message, pollMs } = resource.state;
  return rest({ ready: "False", reason: REASONS.Busy, message }, pollMs);
};

/** AWS works on it, and there is nothing that could be done meanwhile. */
export const stillBusy: Policy = ({ resource }) => {
  if (resource.is !== "present" || resource.state.is !== "busy") return undefined;
  const { message, pollMs } = resource.state;
  return rest({ ready: "False", reason: REASONS.Busy, message }, pollMs);
};
