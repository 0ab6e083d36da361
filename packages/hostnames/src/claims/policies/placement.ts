import { formatTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { ownerOf, remembering } from "../claim.ts";
import type { Memory } from "../claim.ts";
import { remember, rest } from "../decision.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const at = "ListenerAttached";

/** The claim is on no Gateway, or on one that is not what it asks for. Where it was goes on serving until nobody is led there. */
export const notPlaced: Policy = ({ claim, memory, place, now }) => {
  if (place === undefined || place.state === "stays") return undefined;
  if (place.state === "goes") {
    // The room is kept already, so no other claim has to wait.
    return { kind: "commit", lock: `placement of ${ownerOf(claim)}`, memory: moved(memory, place.to, now) };
  }
  if (memory.gateway !== undefined) return undefined;
  return rest({ at, reason: REASONS.NoGatewayFits, message: place.message }, SELDOM_MS);
};

function moved(memory: Memory, to: string, now: number): Memory {
  const { gateway: from, loadBalancer, leaving = [] } = memory;
  if (from === undefined) return remembering(memory, { gateway: to });
  const since = formatTime(now);
  const left = { gateway: from, since, ...(loadBalancer !== undefined && { loadBalancer }) };
  return remembering(memory, { gateway: to, leaving: [...leaving.filter(({ gateway }) => gateway !== to), left] });
}

/** The pool has not made the listener yet, or the load balancer does not have it. */
export const listenerNotAttached: Policy = ({ memory, gateway }) => {
  const serving = (memory.leaving ?? []).some(({ loadBalancer }) => loadBalancer !== undefined);
  if (gateway === undefined || !gateway.attached) {
    const message = gateway?.message ?? `Gateway ${memory.gateway} is not there yet.`;
    return rest({ at, reason: gateway?.reason ?? REASONS.WaitingForGateway, message, serving }, SELDOM_MS);
  }
  const { loadBalancer } = gateway;
  if (loadBalancer === undefined) {
    const message = `The hosted zone of the load balancer of Gateway ${memory.gateway} is not known.`;
    return rest({ at, reason: REASONS.LoadBalancerUnknown, message, serving }, AGAIN_MS);
  }
  const known = memory.loadBalancer;
  const same =
    known !== undefined &&
    (Object.keys(loadBalancer) as (keyof typeof known)[]).every((key) => known[key] === loadBalancer[key]);
  return same ? undefined : remember(remembering(memory, { loadBalancer }));
};
