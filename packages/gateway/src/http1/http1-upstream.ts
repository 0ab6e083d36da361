import type { LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Clock } from "@gatewright/ports";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import { Attempt } from "./attempt.ts";
import type { AttemptHolder } from "./attempt.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Http1Limits } from "./limits.ts";
import { UpstreamConnection } from "./upstream-connection.ts";
import type { ConnectionPool } from "./upstream-connection.ts";

/** Where a backend is. */
export interface Http1Endpoint {
  readonly host: string;
  readonly port: number;
  /** Undefined: without TLS. A function is asked for every new connection, as certificates change; it may throw. */
  readonly tls?: ConnectionOptions | (() => ConnectionOptions) | undefined;
  /** Resolves names, and refuses those that may not be dialled. */
  readonly lookup?: LookupFunction | undefined;
}

export interface Http1UpstreamOptions {
  readonly clock: Clock;
  readonly maxConnections: number;
  /** Connections that are kept without work; as many as may be open unless said. */
  readonly maxIdle?: number | undefined;
  /** Requests that wait for a connection; one more is refused. */
  readonly maxPending: number;
  /** How long a connection is kept for the next request. Shorter than the backend keeps it, or requests meet closed connections. */
  readonly idleTimeoutMs: number;
  /** TLS included. */
  readonly connectTimeoutMs: number;
  readonly maxRequestsPerConnection: number;
  readonly limits?: Partial<Http1Limits>;
}

/** Connections to one endpoint. The connection that was used last is used first, so that those that are too many grow old. */
export function http1Upstream(endpoint: Http1Endpoint, options: Http1UpstreamOptions): Upstream {
  return new Pool(endpoint, options);
}

class Pool implements Upstream, ConnectionPool, AttemptHolder {
  readonly endpoint: Http1Endpoint;
  readonly options: Http1UpstreamOptions;
  readonly limits: Http1Limits;
  readonly #idle: UpstreamConnection[] = [];
  readonly #waiting: Attempt[] = [];
  #connecting = 0;
  #open = 0;
  #busy = 0;
  #isClosed = false;

  constructor(endpoint: Http1Endpoint, options: Http1UpstreamOptions) {
    this.endpoint = endpoint;
    this.options = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  get active(): number {
    return this.#busy + this.#waiting.length;
  }

  get connections(): number {
    return this.#open;
  }

  send(request: UpstreamRequest): UpstreamExchange {
    const attempt = new Attempt(request, this);
    if (this.#isClosed) {
      attempt.failed(new UpstreamError("connect", "the pool of connections is closed", true));
      return attempt;
    }
    const idle = this.#usable();
    if (idle !== undefined) {
      this.#busy++;
      idle.begin(attempt);
      return attempt;
    }
    if (this.#open < this.options.maxConnections) {
      this.#waiting.push(attempt);
      this.#connect();
    } else if (this.#waiting.length - this.#connecting < this.options.maxPending) this.#waiting.push(attempt);
    else attempt.failed(new UpstreamError("overflow", "too many requests wait for a connection", true));
    return attempt;
  }

  /** The connection that was used last, of those that are still open. */
  #usable(): UpstreamConnection | undefined {
    let idle = this.#idle.pop();
    while (idle?.isUsable === false) idle = this.#idle.pop();
    return idle;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  cancelled(attempt: Attempt, error: Error): void {
    const at = this.#waiting.indexOf(attempt);
    if (at !== -1) this.#waiting.splice(at, 1);
    attempt.failed(error);
  }

  /** A connection can take a request: for the first time, or again. */
  ready(connection: UpstreamConnection, isNew: boolean): void {
    if (isNew) this.#connecting--;
    else this.#busy--;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#busy++;
      connection.begin(next);
    } else if (this.#isClosed || this.#idle.length >= (this.options.maxIdle ?? this.options.maxConnections))
      connection.destroy();
    else this.#idle.push(connection);
  }

  /** A connection could not be made. One request pays for it. */
  unreachable(error: UpstreamError): void {
    this.#connecting--;
    this.#open--;
    this.#waiting.shift()?.failed(error);
    this.#refill();
  }

  /** A connection is gone. */
  closed(connection: UpstreamConnection, wasBusy: boolean): void {
    this.#open--;
    if (wasBusy) this.#busy--;
    else {
      const at = this.#idle.indexOf(connection);
      if (at !== -1) this.#idle.splice(at, 1);
    }
    this.#refill();
  }

  /** Makes a connection for those who wait behind what was the last one. */
  #refill(): void {
    if (this.#waiting.length > this.#connecting && this.#open < this.options.maxConnections) this.#connect();
  }

  #connect(): void {
    this.#open++;
    this.#connecting++;
    new UpstreamConnection(this).connect();
  }
}
