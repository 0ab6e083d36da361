/** The states of an instance, and the numbers that they go by. */
const CODES = {
  pending: 0,
  running: 16,
  "shutting-down": 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
} as const;

export type StateName = keyof typeof CODES;

/** Why an instance is in its state. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** What becomes of an instance: a state until a moment, then another for good. A terminated one is forgotten in the end. */
export interface Life {
  readonly first: StateName;
  readonly since: number;
  readonly until: number;
  readonly last: StateName;
  readonly reason?: Reason | undefined;
}

/** How long states take on AWS, as a rule. */
export const STATE_MS = { pending: 20_000, stopping: 40_000, "shutting-down": 40_000 } as const;

/** How long a terminated instance can still be seen, at any pace: who waits for it must have the time. */
const REMEMBERED_MS = 60 * 60_000;

export const USER_SHUTDOWN: Reason = {
  code: "Client.UserInitiatedShutdown",
  message: "Client.UserInitiatedShutdown: User initiated shutdown",
};

/** The state at a moment; `gone` once nobody remembers. */
export function stateAt({ first, until, last }: Life, now: number): StateName | "gone" {
  if (now < until) return first;
  return last === "terminated" && now >= until + REMEMBERED_MS ? "gone" : last;
}

/** A state as answers tell it. */
export function stateTold(name: StateName): { readonly Code: number; readonly Name: StateName } {
  return { Code: CODES[name], Name: name };
}
