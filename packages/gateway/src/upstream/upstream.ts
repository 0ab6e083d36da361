import type { Answer } from "../exchange/answer.ts";
import type { Source } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";

/** A request to a backend. Hop-by-hop fields and framing are added by the protocol. */
export interface UpstreamRequest {
  readonly method: string;
  readonly scheme: "http" | "https";
  readonly authority: string;
  readonly target: string;
  readonly fields: Fields;
  readonly body: Source | undefined;
  /** The protocol to change to. The answer is a 101 whose body is the raw bytes, or another answer as usual. */
  readonly upgrade: string | undefined;
}

/** A request that is under way. */
export interface UpstreamExchange {
  /** Settles with the head of the final answer. Rejects with an `UpstreamError`, or with what `cancel` was given. */
  readonly answer: Promise<Answer>;
  /** Ends it, whatever its state: a body that flows is aborted with this error. After the end it does nothing. */
  cancel(error: Error): void;
}

/** Connections to one endpoint by one protocol. */
export interface Upstream {
  send(request: UpstreamRequest): UpstreamExchange;
  /** Requests under way. */
  readonly active: number;
  /** Open connections, idle ones included. */
  readonly connections: number;
  /** Takes no more requests; closes connections when theirs are done. */
  close(): void;
}

/** Why there is no answer. */
export type UpstreamFailure = "connect" | "tls" | "reset" | "refused_stream" | "protocol" | "overflow" | "timeout";

/** A backend gave no proper answer. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly failure: UpstreamFailure;
  /** Nothing of the request can have been acted upon: it may be sent elsewhere whatever its method. */
  readonly unseen: boolean;
  /**
   * The connection was kept from an earlier request and closed before a byte of an answer came: most likely the backend closed it
   * while it rested. Nobody knows for sure, so only a request that may be repeated without harm may be sent again for that.
   */
  readonly stale: boolean;

  constructor(failure: UpstreamFailure, message: string, unseen: boolean, stale = false) {
    super(message);
    this.failure = failure;
    this.unseen = unseen;
    this.stale = stale;
  }
}
