import { rivalText } from "../feed/conflicts/conflicts.ts";
import type { Problem, ProblemReason } from "../feed/problem.ts";
import { problemText } from "../feed/problem.ts";
import type { SourceReport } from "../feed/source-report.ts";
import type { GatewayStanding } from "./gateway-standing.ts";
import type { Reason } from "./reasons.ts";

/** What a condition says. */
export interface Fact {
  readonly type: "Ready" | "Accepted" | "ResolvedRefs" | "Supported" | "Healthy";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: Reason;
  readonly message: string;
}

const SHOWN = 3;

const REASON_OF: Readonly<Record<ProblemReason, Reason>> = {
  Invalid: "Invalid",
  ReferenceMissing: "ReferenceMissing",
  NotPermitted: "NotPermitted",
  BackendMissing: "BackendNotFound",
};

/**
 * What is true of an object, by what the feed and the gateways say. `noun`: what people call it, `Route`. `more`: what else is always
 * said of it. Pure. What is not always said comes last: servers keep conditions in the order in which they came.
 */
export function factsOf(
  noun: string,
  report: SourceReport,
  gateways: readonly GatewayStanding[],
  more: readonly Fact[] = [],
): readonly Fact[] {
  const accepted = acceptedFact(report);
  const ready: Fact =
    accepted.status === "True"
      ? readyFact(noun, gateways)
      : { ...accepted, type: "Ready", message: accepted.message + stillServing(report) };
  const supported = supportedFact(gateways);
  return [ready, accepted, resolvedFact(report), ...more, ...(supported === undefined ? [] : [supported])];
}

function acceptedFact({ problems, rival, waiting }: SourceReport): Fact {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) {
    return {
      type: "Accepted",
      status: "False",
      reason: REASON_OF[first.reason],
      message: few(errors.map(problemText)),
    };
  }
  if (rival !== undefined) {
    const message = `${rivalText(rival)}, which is older`;
    return { type: "Accepted", status: "False", reason: "Conflict", message };
  }
  if (waiting) {
    const message = "what it refers to is being read";
    return { type: "Accepted", status: "Unknown", reason: "Pending", message };
  }
  return { type: "Accepted", status: "True", reason: "Accepted", message: "" };
}

function readyFact(noun: string, gateways: readonly GatewayStanding[]): Fact {
  const counts = { applied: 0, pending: 0, refused: 0 };
  for (const { state } of gateways) counts[state]++;
  const total = gateways.length;
  if (total === 0) {
    return {
      type: "Ready",
      status: "False",
      reason: "NoGateways",
      message: "no gateway that should have it is connected",
    };
  }
  const message = `${noun} applied to ${counts.applied} of ${total} gateways`;
  if (counts.refused > 0) {
    const words = gateways.filter(({ state }) => state === "refused").map((gateway) => said(gateway, true));
    return { type: "Ready", status: "False", reason: "Refused", message: `${message}; ${few(words)}` };
  }
  if (counts.pending > 0) return { type: "Ready", status: "False", reason: "Pending", message };
  return { type: "Ready", status: "True", reason: "Applied", message };
}

function resolvedFact({ problems }: SourceReport): Fact {
  const open = problems.filter(({ reason }) => reason !== "Invalid");
  const [first] = open;
  if (first === undefined) return { type: "ResolvedRefs", status: "True", reason: "Resolved", message: "" };
  return {
    type: "ResolvedRefs",
    status: "False",
    reason: REASON_OF[first.reason],
    message: few(open.map(problemText)),
  };
}

/** Undefined: nobody serves it who could say. */
function supportedFact(gateways: readonly GatewayStanding[]): Fact | undefined {
  const serving = gateways.filter(({ state }) => state === "applied");
  if (serving.length === 0) return undefined;
  const words = serving.filter(({ remarks }) => remarks.length > 0).map((gateway) => said(gateway, false));
  if (words.length === 0) return { type: "Supported", status: "True", reason: "Supported", message: "" };
  return { type: "Supported", status: "False", reason: "PartlySupported", message: few(words) };
}

function said({ name, remarks }: GatewayStanding, refused: boolean): string {
  const words = remarks.filter((remark) => remark.refused === refused).map(wordsOf);
  return `${name}: ${words.length === 0 ? "refused it" : few(words)}`;
}

function wordsOf({ field, message }: Pick<Problem, "field" | "message">): string {
  return field === "" ? message : `${field} ${message}`;
}

function stillServing({ serving, generation }: SourceReport): string {
  if (serving === undefined) return "";
  return serving === generation
    ? "; what it referred to before goes on serving"
    : `; generation ${serving} goes on serving`;
}

function few(words: readonly string[]): string {
  const more = words.length - SHOWN;
  return words.slice(0, SHOWN).join("; ") + (more > 0 ? `; and ${more} more` : "");
}
