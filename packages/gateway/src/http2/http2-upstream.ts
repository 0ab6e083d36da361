import type { Clock } from "@gatewright/ports";
import { UpstreamError } from "../upstream/upstream.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";
import type { Http2Endpoint } from "./dial.ts";
import { OngoingRequest } from "./upstream-exchange.ts";
import { UpstreamConnection } from "./upstream-connection.ts";
import { HTTP2_UPSTREAM_LIMITS } from "./upstream-limits.ts";
import type { Http2UpstreamLimits } from "./upstream-limits.ts";

export interface Http2UpstreamOptions {
  readonly clock: Clock;
  readonly limits?: Partial<Http2UpstreamLimits>;
}

/**
 * Connections to one endpoint by HTTP/2: plain with prior knowledge, or TLS where the backend chooses `h2`. Requests share connections
 * up to a number of streams each. Changes of protocol are not offered. Nothing is dialled before the first request.
 */
export function http2Upstream(endpoint: Http2Endpoint, options: Http2UpstreamOptions): Upstream {
  return new Http2Upstream(endpoint, options.clock, { ...HTTP2_UPSTREAM_LIMITS, ...options.limits });
}

class Http2Upstream implements Upstream {
  readonly #endpoint: Http2Endpoint;
  readonly #clock: Clock;
  readonly #limits: Http2UpstreamLimits;
  readonly #connections = new Set<UpstreamConnection>();
  #isClosed = false;
  active = 0;

  constructor(endpoint: Http2Endpoint, clock: Clock, limits: Http2UpstreamLimits) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#limits = limits;
  }

  get connections(): number {
    return this.#connections.size;
  }

  send(request: UpstreamRequest): UpstreamExchange {
    const connection = this.#pick(request);
    if (connection instanceof UpstreamError) {
      request.body?.cancel();
      return { answer: Promise.reject(connection), cancel() {} };
    }
    this.active++;
    const ongoing = new OngoingRequest(request, connection, this.#over);
    ongoing.start();
    return ongoing;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.leave();
  }

  readonly #over = (): void => {
    this.active--;
  };

  readonly #gone = (connection: UpstreamConnection): void => {
    this.#connections.delete(connection);
  };

  #pick(request: UpstreamRequest): UpstreamConnection | UpstreamError {
    if (this.#isClosed) return new UpstreamError("connect", "the backend is no longer used", true);
    if (request.upgrade !== undefined)
      return new UpstreamError("protocol", "a change of protocol is not offered to HTTP/2 backends", true);
    let full = 0;
    for (const connection of this.#connections) {
      if (connection.hasRoom) return connection;
      if (!connection.isLeaving) full++;
    }
    if (full >= this.#limits.maxConnections)
      return new UpstreamError("overflow", "the backend has as many requests as it may have", true);
    try {
      const made = UpstreamConnection.open(this.#endpoint, this.#clock, this.#limits, this.#gone);
      this.#connections.add(made);
      return made;
    } catch (error) {
      return new UpstreamError("tls", `no connection to the backend: ${(error as Error).message}`, true);
    }
  }
}
