import { conditionOf, conditionsOf, textAt } from "./kube.ts";
import type { Condition, KubeObject } from "./kube.ts";

/** How something is. The words are those of `gatewright why`. */
export type State = "ok" | "warning" | "waiting" | "broken" | "unknown";

/** Worst first. */
export const STATES: readonly State[] = ["broken", "unknown", "waiting", "warning", "ok"];

export const STATE_WORDS: Readonly<Record<State, string>> = {
  ok: "Ready",
  warning: "Warning",
  waiting: "Waiting",
  broken: "Broken",
  unknown: "Unknown",
};

export function worst(states: Iterable<State>): State {
  const all = new Set(states);
  return STATES.find((state) => all.has(state)) ?? "ok";
}

export interface Standing {
  readonly state: State;
  readonly reason: string;
  readonly message: string;
}

/** The condition that says whether an object does what it is for, most telling first. */
const TELLING = ["Ready", "Programmed", "Accepted", "Available"];

/**
 * How an object is, by its own word alone. What says no is broken when it is refused for good or lies long; before that, it waits.
 * The server's answer to "why" looks further; where the page has it, that one counts.
 */
export function standingOf(object: KubeObject, now: number): Standing {
  if (object.metadata.deletionTimestamp !== undefined) {
    return { state: "waiting", reason: "Deleting", message: tellingOf(object)?.message ?? "It is being deleted." };
  }
  const denied = conditionOf(object, "Denied");
  if (denied?.status === "True") return said("broken", denied);
  const telling = tellingOf(object);
  if (telling === undefined) return plainStanding(object);
  if (telling.status === "True") return said("ok", telling);
  const stalled = conditionsOf(object).find(({ type, status }) => type === "Stalled" && status === "True");
  if (stalled !== undefined) return said("broken", stalled);
  const since = Date.parse(telling.lastTransitionTime ?? "");
  return said(Number.isFinite(since) && now - since < PATIENCE_MS ? "waiting" : "broken", telling);
}

const PATIENCE_MS = 120_000;

function tellingOf(object: KubeObject): Condition | undefined {
  for (const type of TELLING) {
    const condition = conditionOf(object, type);
    if (condition !== undefined) return condition;
  }
  return undefined;
}

function said(state: State, { reason = "", message = "" }: Condition): Standing {
  return { state, reason, message };
}

/** Kinds without conditions: pods tell a phase, and what tells nothing is taken for what it is. */
function plainStanding(object: KubeObject): Standing {
  const phase = textAt(object.status, "phase");
  if (phase === "Failed") return { state: "broken", reason: phase, message: textAt(object.status, "message") };
  if (phase === "Pending") return { state: "waiting", reason: phase, message: "" };
  const isSilent = object.status === undefined && object.spec !== undefined && "generation" in object.metadata;
  return { state: isSilent && NEED_STATUS.has(object.kind) ? "waiting" : "ok", reason: "", message: "" };
}

/** Kinds that a controller always says something of. */
const NEED_STATUS = new Set(["GatewayHostnameRequest", "Application", "APIRoute", "GRPCRoute", "GraphQLRoute"]);
