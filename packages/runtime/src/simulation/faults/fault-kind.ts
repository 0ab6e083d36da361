import type { Call } from "../network/call.ts";

interface CallFaultInfo {
  readonly about: string;
  applies(call: Call): boolean;
}

const any = (): boolean => true;
const reads = (call: Call): boolean => !call.writes;
const finite = (call: Call): boolean => call.verb !== "watch";
const changes = (call: Call): boolean => call.verb === "update" || call.verb === "patch" || call.verb === "apply";

/** What can happen to one request. */
export const CALL_FAULTS = {
  refuse: { about: "nobody listens: the server never sees it", applies: any },
  "crash-before": { about: "the process dies as it sends; the server never sees it", applies: any },
  "crash-after": { about: "the server does it, the process dies before it hears of it", applies: any },
  "lost-reply": { about: "the server does it, the connection is cut before the reply", applies: any },
  "timeout-before": { about: "it is lost on its way; no reply until the client gives up", applies: any },
  "timeout-after": { about: "the server does it; no reply until the client gives up", applies: any },
  slow: { about: "seconds pass on the way there and back", applies: any },
  conflict: { about: "409: somebody else wrote meanwhile", applies: changes },
  gone: { about: "410: the version it refers to is forgotten", applies: (call) => call.resumes },
  throttle: { about: "429 with Retry-After", applies: any },
  "error-500": { about: "500 instead of doing it", applies: any },
  "error-503": { about: "503 instead of doing it, with or without Retry-After", applies: any },
  "error-504": { about: "504 instead of doing it", applies: any },
  "late-504": { about: "504 though it was done", applies: (call) => call.writes },
  truncate: { about: "the reply ends at some byte", applies: finite },
  garbage: { about: "200 with a body that is no JSON, from something in between", applies: reads },
} satisfies Readonly<Record<string, CallFaultInfo>>;

/** What can happen at one frame of a watch. */
export const FRAME_FAULTS = {
  "watch-cut": "the stream is cut before the frame",
  "watch-torn": "the stream is cut inside the frame",
  "watch-late": "this frame and those after it are held back for seconds",
  "watch-twice": "the frame comes twice",
  "watch-gone": "410 in the stream instead of the frame",
  "watch-silent": "nothing comes any more, and nobody says so",
  "watch-unseen": "the stream stalls, then 410: what happened between is never seen",
} satisfies Readonly<Record<string, string>>;

/** What can happen to a process, or between it and the server, at some time. */
export const TIMED_FAULTS = {
  kill: "the process dies and is started again",
  stop: "the process is asked to stop and is started again",
  pause: "the process gets no time for a while, and does not know",
  "clock-jump": "its wall clock jumps",
  "lease-partition": "its lease calls do not get through; the others do",
  partition: "none of its calls gets through",
  "stale-replica": "a replica of the server stands still, and answers reads that may be old",
} satisfies Readonly<Record<string, string>>;

/** What can happen to one request to another system. Those that the network and the process have in common with it keep their names. */
export const SYSTEM_FAULTS = {
  refuse: CALL_FAULTS.refuse.about,
  "crash-before": CALL_FAULTS["crash-before"].about,
  "crash-after": CALL_FAULTS["crash-after"].about,
  "lost-reply": CALL_FAULTS["lost-reply"].about,
  "timeout-before": CALL_FAULTS["timeout-before"].about,
  "timeout-after": CALL_FAULTS["timeout-after"].about,
  slow: CALL_FAULTS.slow.about,
  "system-throttled": "the system says that there are too many calls",
  "system-error": "the system fails instead of doing it",
  "system-late-error": "the system says that it failed, though it did it",
  "system-stale": "a read is answered as the same one was before",
} satisfies Readonly<Record<string, string>>;

/** What can happen between a process and the other systems, at some time. */
export const SYSTEM_TIMED_FAULTS = {
  "system-denied": "the systems refuse whatever the process asks",
  "system-blind": "the systems refuse all reads of the process, and do what it asks",
  "system-partition": "none of its calls gets to the systems; those to the server do",
} satisfies Readonly<Record<string, string>>;

export type SystemFaultKind = keyof typeof SYSTEM_FAULTS;
export type SystemTimedFaultKind = keyof typeof SYSTEM_TIMED_FAULTS;
export type CallFaultKind = keyof typeof CALL_FAULTS;
export type FrameFaultKind = keyof typeof FRAME_FAULTS;
export type TimedFaultKind = keyof typeof TIMED_FAULTS;
export type FaultKind = CallFaultKind | FrameFaultKind | TimedFaultKind | SystemFaultKind | SystemTimedFaultKind;

/** Whether a fault can happen to this call at all. */
export function applies(kind: CallFaultKind, call: Call): boolean {
  return CALL_FAULTS[kind].applies(call);
}

export const CALL_FAULT_KINDS = Object.keys(CALL_FAULTS) as CallFaultKind[];
export const FRAME_FAULT_KINDS = Object.keys(FRAME_FAULTS) as FrameFaultKind[];
export const TIMED_FAULT_KINDS = Object.keys(TIMED_FAULTS) as TimedFaultKind[];
export const SYSTEM_FAULT_KINDS = Object.keys(SYSTEM_FAULTS) as SystemFaultKind[];
export const SYSTEM_TIMED_FAULT_KINDS = Object.keys(SYSTEM_TIMED_FAULTS) as SystemTimedFaultKind[];
