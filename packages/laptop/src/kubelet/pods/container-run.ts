/** How a container of a pod ended, with its times. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly containerID: string;
}

/** What a container does now. Times are wall-clock milliseconds. */
export type ContainerState =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  /** It could not be started, and is tried again at `until` (never, if that is not there). */
  | {
      readonly kind: "held";
      readonly reason: string;
      readonly message?: string;
      readonly at: number;
      readonly until?: number;
    }
  | {
      readonly kind: "running";
      readonly startedAt: number;
      readonly containerID: string;
      /** What it was started from: a pod's image may change. */
      readonly image: string;
      readonly simulated: boolean;
      /** The startup probe has passed, or there is none. */
      readonly started: boolean;
      readonly ready: boolean;
      readonly stopping: boolean;
    }
  /** `restartAt`: when it may be started again, if the pod's policy wants that. */
  | { readonly kind: "ended"; readonly end: Ended; readonly restartAt: number; readonly backOffMs: number };

/** A container of a pod, over all its starts. */
export interface ContainerRun {
  readonly state: ContainerState;
  readonly restarts: number;
  /** How the start before this one ended. */
  readonly last: Ended | undefined;
  /** How long the next restart waits. */
  readonly restartDelayMs: number;
  /** How long the next try to pull waits. */
  readonly pullDelayMs: number;
}

export type ContainerInput =
  | { readonly kind: "starting" }
  | {
      readonly kind: "started";
      readonly at: number;
      readonly containerID: string;
      readonly image: string;
      readonly simulated: boolean;
      readonly probed: Probed;
    }
  | { readonly kind: "pullFailed"; readonly at: number; readonly message: string }
  | {
      readonly kind: "held";
      readonly at: number;
      readonly reason: string;
      readonly message?: string;
      readonly retryMs?: number;
    }
  | { readonly kind: "probed"; readonly started?: boolean; readonly ready?: boolean }
  | { readonly kind: "stopping" }
  | {
      readonly kind: "exited";
      readonly at: number;
      readonly exitCode: number;
      readonly reason: string;
      readonly message?: string;
    };

/** Which probes must pass first. */
export interface Probed {
  readonly startup: boolean;
  readonly readiness: boolean;
}

const FIRST_DELAY_MS = 10_000;
const LONGEST_DELAY_MS = 300_000;
/** Who ran for so long has proven to be well: the next restart is at once again. */
const WELL_MS = 600_000;

/** A container that was never started. */
export const idleRun: ContainerRun = {
  state: { kind: "idle" },
  restarts: 0,
  last: undefined,
  restartDelayMs: 0,
  pullDelayMs: FIRST_DELAY_MS,
};

/** What becomes of a container. Pure; an input that does not fit the state (it comes too late) changes nothing. */
export function stepContainer(run: ContainerRun, input: ContainerInput): ContainerRun {
  const { state } = run;
  switch (input.kind) {
    case "starting":
      if (state.kind === "running" || state.kind === "starting") return run;
      return state.kind === "ended"
        ? { ...run, state: { kind: "starting" }, restarts: run.restarts + 1, last: state.end }
        : { ...run, state: { kind: "starting" } };
    case "started":
      return state.kind === "starting" ? { ...run, state: running(input), pullDelayMs: FIRST_DELAY_MS } : run;
    case "pullFailed": {
      if (state.kind !== "starting") return run;
      const { at, message } = input;
      const held = { kind: "held", reason: "ErrImagePull", message, at, until: at + run.pullDelayMs } as const;
      return { ...run, state: held, pullDelayMs: doubled(run.pullDelayMs) };
    }
    case "held": {
      if (state.kind !== "starting") return run;
      const { at, reason, message, retryMs } = input;
      const held: ContainerState = {
        kind: "held",
        reason,
        at,
        ...(message !== undefined && { message }),
        ...(retryMs !== undefined && { until: at + retryMs }),
      };
      return { ...run, state: held };
    }
    case "probed": {
      if (state.kind !== "running") return run;
      const { started = state.started, ready = state.ready } = input;
      return started === state.started && ready === state.ready ? run : { ...run, state: { ...state, started, ready } };
    }
    case "stopping":
      return state.kind === "running" ? { ...run, state: { ...state, stopping: true } } : run;
    case "exited":
      return state.kind === "running" || state.kind === "starting" ? ended(run, input) : run;
  }
}

function running({
  at,
  containerID,
  image,
  simulated,
  probed,
}: Extract<ContainerInput, { kind: "started" }>): ContainerState {
  return {
    kind: "running",
    startedAt: at,
    containerID,
    image,
    simulated,
    started: !probed.startup,
    ready: !probed.startup && !probed.readiness,
    stopping: false,
  };
}

function ended(run: ContainerRun, input: Extract<ContainerInput, { kind: "exited" }>): ContainerRun {
  const { at, exitCode, reason, message } = input;
  const { startedAt, containerID } = run.state.kind === "running" ? run.state : { startedAt: at, containerID: "" };
  const end = { exitCode, reason, startedAt, finishedAt: at, containerID, ...(message !== undefined && { message }) };
  const backOffMs = at - startedAt > WELL_MS ? 0 : run.restartDelayMs;
  return {
    ...run,
    state: { kind: "ended", end, restartAt: at + backOffMs, backOffMs },
    restartDelayMs: doubled(backOffMs),
  };
}

function doubled(ms: number): number {
  return ms === 0 ? FIRST_DELAY_MS : Math.min(2 * ms, LONGEST_DELAY_MS);
}
