import type { ApiObject, Immutable } from "@gatewright/kube";

/** What happened, for people: `kubectl describe` shows it. No secrets. */
export interface EventNote {
  readonly type: "Normal" | "Warning";
  /** UpperCamelCase, for machines. */
  readonly reason: string;
  /** What was being done, UpperCamelCase. Default: the reason. */
  readonly action?: string;
  /** For people. Cut to 1 kB. */
  readonly note: string;
  /** A second object that is concerned. */
  readonly related?: Immutable<ApiObject>;
}

/** Writes events.k8s.io events behind the caller's back: never waits, never throws; equal ones become a series; bursts are dropped. */
export interface EventRecorder {
  record(regarding: Immutable<ApiObject>, note: EventNote): void;
}
