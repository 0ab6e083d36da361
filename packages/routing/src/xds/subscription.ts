import type { Resource } from "./resource.ts";

/** What a client said to an answer: undefined as `error`, that it took it. */
export interface Verdict {
  readonly error: string | undefined;
  /** What the answer held. */
  readonly resources: readonly Resource[];
}

/** How far an answer may go. */
export interface Reach {
  /** The newest whole generation. */
  readonly generation: number;
  /** Of what went, clients are told up to this generation: what went later may still be referred to. */
  readonly removalsThrough: number;
  /** Of the answer: unique on its stream. */
  readonly nonce: string;
}

/** What one client wants of one type, on one stream, and what it was told. Does nothing by itself. */
export interface Subscription {
  /** An answer was sent, and the client has not said anything to it yet: there is no other one before. */
  readonly isWaiting: boolean;
  /** The client asked for something and was not answered yet. */
  readonly isAsked: boolean;
  /** The client took, or refused, all up to this generation. */
  readonly settledThrough: number;
  /** Nothing is on its way, owed or held back as of a generation. */
  isSettled(generation: number): boolean;
  wants(name: string): boolean;
  /** The next answer, encoded; undefined: there is nothing to say. Throws {@link TooFarBehindError}. */
  next(reach: Reach): Uint8Array | undefined;
}

/** What a client has was so long ago that nobody knows what differs: it has to begin anew. */
export class TooFarBehindError extends Error {
  constructor() {
    super("what this client has is too old to be continued: it has to connect again");
    this.name = "TooFarBehindError";
  }
}

/** A client asks for more names than can be remembered. */
export class TooManyNamesError extends Error {
  constructor() {
    super("too many names of resources that do not exist are asked for");
    this.name = "TooManyNamesError";
  }
}
