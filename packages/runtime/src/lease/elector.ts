import type { WriteGate } from "./write-gate.ts";

export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Who holds it: unique among processes, for people to recognise. */
  readonly identity: string;
  /** After how long without renewal others may take it. Default: 15 s. */
  readonly durationMs?: number;
  /** How long the holder tries to renew before it stops. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** How often it is renewed, or tried for. Default: 2 s. */
  readonly retryMs?: number;
}

/** Tries for a lease, holds it, and says for certain when it does not. */
export interface Elector extends WriteGate {
  /** Runs until the signal aborts, then gives the lease up so that another can take over at once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when this process leads, with a signal that aborts as soon as that may have ended. */
  whenLeading(signal: AbortSignal): Promise<AbortSignal>;
  /** Who held the lease when it was last seen. */
  readonly holder: string | undefined;
  /** How often the lease has changed hands: rises with each new holder. */
  readonly epoch: number;
}
