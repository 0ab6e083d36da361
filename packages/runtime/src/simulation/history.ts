/** Who may write, by the word of the server: the holder of the lease, and until when others must let it be. */
export interface LeaseTruth {
  readonly holder: string;
  readonly validUntil: number;
}

/** A write that a process sent, leases left out. */
export interface Effect {
  readonly number: number;
  readonly sentAt: number;
  readonly process: string;
  readonly identity: string;
  readonly site: string;
  readonly object: string;
  /** The lease at the moment of sending. Undefined in a world without one. */
  readonly lease: LeaseTruth | undefined;
  /** What the server answered, once it has. */
  status: number | undefined;
  /** The resources of a system that it changed; what it changed on the server is `object`. */
  hit: readonly string[];
  /** It reached the server when its sender was dead, had given it up or no longer held the lease. No client can prevent that. */
  stray: boolean;
}

/** A change of the server's state. */
export interface ObjectChange {
  readonly at: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: string;
  /** It may happen as often as it wants. */
  readonly unjudged?: boolean;
  /** `resource namespace/name`, with generated names as `prefix*`; `system resource` of a system. */
  readonly object: string;
}

/** What a process learned of an object: by its own write, or from its cache. */
export interface Knowledge {
  readonly at: number;
  readonly from: "own write" | "cache";
  readonly identity: string;
  readonly object: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Work on one key beginning or ending. */
export interface RunMark {
  readonly at: number;
  readonly identity: string;
  readonly controller: string;
  readonly key: string;
  readonly what: "begin" | "end";
}

/** Something that must not happen in a process whatever the world does. */
export interface Mishap {
  readonly at: number;
  readonly what: string;
}

/** The state of a world at some moment: objects by `resource namespace/name`, in their normal form, as JSON. */
export type WorldState = ReadonlyMap<string, string>;

/** All that oracles judge by. */
export interface History {
  readonly effects: Effect[];
  readonly changes: ObjectChange[];
  readonly knowledge: Knowledge[];
  readonly runs: RunMark[];
  readonly mishaps: Mishap[];
  /** When faults ended. */
  calmAt: number;
  /** When the state was first as it should be, after faults had ended. */
  convergedAt: number | undefined;
  /** From when to when nothing had any reason to be written. */
  idle: { readonly from: number; readonly to: number } | undefined;
  /** Where caches differed from the server at the end of the idle time. */
  cacheFaults: readonly string[];
  /** The state at the end of the idle time, or when waiting for it was given up. */
  endState: WorldState;
  /** Objects that were there when everything that the user had made was deleted again. */
  leftovers: readonly string[];
  /** Whether every process ended when it was asked to. */
  stopped: boolean;
}

export function emptyHistory(): History {
  return {
    effects: [],
    changes: [],
    knowledge: [],
    runs: [],
    mishaps: [],
    calmAt: 0,
    convergedAt: undefined,
    idle: undefined,
    cacheFaults: [],
    endState: new Map(),
    leftovers: [],
    stopped: true,
  };
}
