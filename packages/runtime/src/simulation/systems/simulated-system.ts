import type { Clock, Random } from "@gatewright/ports";

/** What a request to a system is about. */
export interface SystemCall {
  /** The place among the calls of a program: `acm RequestCertificate`. */
  readonly site: string;
  /** Whether it is made to change something. What only reads may be made at any time, and by anybody. */
  readonly writes: boolean;
  /** What it concerns, for people: an id, a name. */
  readonly about?: string;
}

/** Something that exists in a system. */
export interface SystemResource {
  /**
   * What it is and whose, the same in every run: `certificate shop.example.com`. Ids are drawn anew in each run; wherever one shows
   * up, in a system or in an object's status, oracles read this name instead. Two with one name are told apart by a number.
   */
  readonly name: string;
  /** What else it is known by that is drawn anew in each run: a DNS name. */
  readonly aliases?: readonly string[];
  /** What there is to know about it. JSON; ids of other resources may be in it. */
  readonly content: unknown;
}

/** How a system itself fails. The network and the process fail in other ways. */
export type Trouble = "throttled" | "error" | "late-error" | "denied" | "stale";

/** Under which circumstances a request is answered. */
export interface SystemConditions {
  /** What the system has to do to this request. Where that means nothing (`stale`, to a write) it answers as ever. */
  readonly trouble?: Trouble | undefined;
  readonly signal: AbortSignal;
}

/**
 * A system beside the API server, which programs call over a network that fails. Requests and answers are what its adapter and the
 * programs agree on. It has the world's clock: right, and never silent.
 */
export interface SimulatedSystem {
  describe(request: unknown): SystemCall;
  /** Answers a request. A rejection is the connection's end. */
  handle(request: unknown, conditions: SystemConditions): Promise<unknown>;
  /** An answer in a word or two, and all of it for comparing runs. */
  summary(answer: unknown): { readonly shown: string; readonly content?: Uint8Array | string };
  /** All that exists now, by id. */
  resources(): ReadonlyMap<string, SystemResource>;
  /** Changes whenever {@link resources} may have changed: they are asked for only then. */
  revision(): number;
  /** Whether it works on something that takes real time (a thread makes a key): the world stands still meanwhile. Default: never. */
  busy?(): boolean;
}

/** What a system has of the world. */
export interface SystemPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Tells of a fault of the system's own, which fails the run. */
  readonly mishap: (what: string) => void;
}

/** A system of a scenario. Opened anew for each run: nothing may be remembered from one to the next. */
export interface SystemDefinition {
  readonly name: string;
  readonly open: (ports: SystemPorts) => Promise<SimulatedSystem>;
}

/**
 * The way from a program to a system. Rejects with `TransportError`: only for `refused` it is certain that the system never saw the
 * request.
 */
export type SystemPort = (request: unknown, signal: AbortSignal) => Promise<unknown>;
