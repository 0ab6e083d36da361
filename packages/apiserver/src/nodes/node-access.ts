import type { Duplex } from "node:stream";

/** A very pod: another of the same name has another uid. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Which part of a container's log is wanted. Checked: numbers are not negative, and of the two times at most one is there. */
export interface LogOptions {
  /** Go on with what the container writes, until it ends. */
  readonly follow: boolean;
  /** Of the container that ran before the last restart. */
  readonly previous: boolean;
  /** Each line begins with the time at which it was written, in RFC 3339 with nanoseconds, and a space. */
  readonly timestamps: boolean;
  /** Only this many lines from the end. */
  readonly tailLines?: number;
  /** Only what was written in the last seconds. */
  readonly sinceSeconds?: number;
  /** Only what was written at or after this time, in milliseconds since 1970. */
  readonly sinceTime?: number;
  /** End after this many bytes, even within a line. */
  readonly limitBytes?: number;
}

/** The way to where pods run: what serves their logs, proxies and forwarded ports. */
export interface NodeAccess {
  /**
   * The log of a container that the pod has. Rejects with the StatusError that the client is to see: 400 for a container that has
   * not started (`container "web" in pod "a" is waiting to start: ContainerCreating`) or has no previous run. Ends when the signal aborts.
   */
  logs(
    pod: PodIdentity,
    container: string,
    options: LogOptions,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
  /** A connection to a port of the pod. Rejects with an error whose message says why there is none (`connection refused`). */
  connect(pod: PodIdentity, port: number, signal: AbortSignal): Promise<Duplex>;
}
