import { connect as connectPlain } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import type { CancelTimer } from "@gatewright/ports";
import type { Source } from "../exchange/body.ts";
import { bytesSource, textSource } from "../exchange/bodies.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { Attempt, AttemptHolder } from "./attempt.ts";
import { BadMessage } from "./bad-message.ts";
import { coarseTimerOf } from "./coarse-timer.ts";
import type { CoarseTimer, Watched } from "./coarse-timer.ts";
import { FieldMemory } from "./field-memory.ts";
import { HeadReader, TEXT_BYTES } from "./head-reader.ts";
import type { Http1Endpoint, Http1UpstreamOptions } from "./http1-upstream.ts";
import { IncomingBody } from "./incoming-body.ts";
import type { BodyOwner } from "./incoming-body.ts";
import type { Http1Limits } from "./limits.ts";
import { LineMemory } from "./line-memory.ts";
import { UNFRAMED } from "./message-fields.ts";
import { OutgoingMessage } from "./outgoing-message.ts";
import type { MessageOwner } from "./outgoing-message.ts";
import { parseResponseHead } from "./response-head.ts";
import type { ParsedResponse } from "./response-head.ts";
import { SHARED, readsShared } from "./shared-reads.ts";
import { requestFraming, requestHead } from "./upstream-head.ts";

/** Whom a connection belongs to. */
export interface ConnectionPool {
  readonly endpoint: Http1Endpoint;
  readonly options: Http1UpstreamOptions;
  readonly limits: Http1Limits;
  ready(connection: UpstreamConnection, isNew: boolean): void;
  unreachable(error: UpstreamError): void;
  closed(connection: UpstreamConnection, wasBusy: boolean): void;
}

type State = "connecting" | "idle" | "busy" | "tunnel" | "closed";

/** Interim answers that a backend may send before the final one. */
const INTERIM = 16;

/** The client's side of one connection: one request at a time. */
export class UpstreamConnection implements AttemptHolder, BodyOwner, MessageOwner, Watched {
  readonly #pool: ConnectionPool;
  readonly #timer: CoarseTimer;
  readonly #reader: HeadReader;
  readonly #fields: FieldMemory;
  readonly #lines = new LineMemory();
  #socket: Socket | undefined;
  #connectTimer: CancelTimer | undefined;
  #state: State = "connecting";
  #error: Error | undefined;
  /** There is a connection; with TLS, its handshake follows. */
  #isReached = false;
  #attempt: Attempt | undefined;
  #message: OutgoingMessage | undefined;
  #body: IncomingBody | undefined;
  /** The head of the final answer is here. */
  #isAnswered = false;
  /** The whole request is sent. */
  #isSent = false;
  #keepsAlive = false;
  #interim = 0;
  #requests = 0;
  deadline = Number.POSITIVE_INFINITY;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
    this.#timer = coarseTimerOf(pool.options.clock);
    this.#reader = new HeadReader(pool.limits, false);
    this.#fields = new FieldMemory(pool.limits.fields, "pass");
  }

  connect(): void {
    const { endpoint, options } = this.#pool;
    const { host, port, lookup } = endpoint;
    const where = { host, port, ...(lookup !== undefined && { lookup }) };
    let tls: ConnectionOptions | undefined;
    try {
      tls = typeof endpoint.tls === "function" ? endpoint.tls() : endpoint.tls;
    } catch {
      // Why certificates cannot be read is told where they are read.
      this.#state = "closed";
      this.#pool.unreachable(new UpstreamError("tls", "the certificates for the backend cannot be read", true));
      return;
    }
    const socket =
      tls === undefined
        ? connectPlain({ ...where, noDelay: true, onread: { buffer: SHARED, callback: this.#onShared } })
        : connectSecure({ ALPNProtocols: ["http/1.1"], ...tls, ...where });
    this.#socket = socket;
    if (tls !== undefined) {
      socket.setNoDelay(true);
      socket.on("data", this.#onData);
      socket.on("secureConnect", () => readsShared(socket, this.#onShared));
    }
    socket.on(tls === undefined ? "connect" : "secureConnect", this.#onConnect);
    socket.on("connect", () => (this.#isReached = true));
    socket.on("end", this.#onEnd);
    socket.on("drain", this.#onDrain);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
    this.#connectTimer = options.clock.timer(options.connectTimeoutMs, () => {
      this.#error = new UpstreamError("connect", "the backend took too long to connect to", true);
      socket.destroy();
    });
  }

  /** Whether it can take a request. One that is closed, or is about to be, stays in the pool for a moment. */
  get isUsable(): boolean {
    return this.#socket?.writable === true;
  }

  /** Sends a request. Only when the pool was told that the connection is ready. */
  begin(attempt: Attempt): void {
    const { request } = attempt;
    const framing = requestFraming(request);
    const head = requestHead(request, framing, this.#lines);
    const socket = this.#socket;
    attempt.holder = this;
    this.#attempt = attempt;
    this.#state = "busy";
    this.#isAnswered = false;
    this.#isSent = false;
    this.#interim = 0;
    this.#requests++;
    this.deadline = Number.POSITIVE_INFINITY;
    if (head === undefined || socket === undefined) {
      this.#fail(new UpstreamError("protocol", "the request cannot be written as HTTP/1.1", true));
    } else if (request.body === undefined || request.upgrade !== undefined) {
      this.#isSent = true;
      socket.write(head, "latin1");
    } else this.#send(socket, head, request.body, framing);
  }

  destroy(): void {
    this.#socket?.destroy();
  }

  cancelled(_attempt: Attempt, error: Error): void {
    this.#fail(error);
  }

  #send(socket: Socket, head: string, body: Source, framing: number): void {
    const message = new OutgoingMessage(socket, this, head, framing, false);
    this.#message = message;
    body.open(message);
    message.release();
  }

  readonly #onConnect = (): void => {
    this.#connectTimer?.();
    this.#timer.add(this);
    this.#rest(true);
  };

  readonly #onShared = (length: number): boolean => {
    if (length <= TEXT_BYTES && this.#state === "busy" && this.#body === undefined) this.#readHead(SHARED, length);
    else this.#onData(Buffer.from(SHARED.subarray(0, length)));
    return true;
  };

  readonly #onData = (bytes: Buffer): void => {
    if (this.#state === "tunnel") this.#body?.feed(bytes);
    else if (this.#state !== "busy") this.destroy();
    else if (this.#body !== undefined) this.#body.feed(bytes);
    else this.#readHead(bytes, bytes.length);
  };

  #readHead(bytes: Buffer, length: number): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    let head: ParsedResponse | undefined;
    try {
      this.#reader.hold(bytes, length);
      head = this.#finalHead(attempt.request);
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.bodyFailed(error);
      return;
    }
    if (head !== undefined) this.#answer(attempt, head);
  }

  /** The head of the final answer, once it is there. Throws `BadMessage`. */
  #finalHead({ method, upgrade }: UpstreamRequest): ParsedResponse | undefined {
    for (let text = this.#reader.read(); text !== undefined; text = this.#reader.read()) {
      const head = parseResponseHead(text, method, this.#fields);
      if (head.status === 101 && (head.upgrade === undefined || head.upgrade !== upgrade)) {
        throw new BadMessage(400, "it changes to a protocol that was not asked for");
      }
      if (head.status >= 200 || head.status === 101) return head;
      if (++this.#interim > INTERIM) throw new BadMessage(400, "there are too many interim answers");
    }
    return undefined;
  }

  #answer(attempt: Attempt, head: ParsedResponse): void {
    const { status, fields, length } = head;
    this.#isAnswered = true;
    this.#keepsAlive = head.keepAlive;
    const came = this.#reader.size;
    if (status === 101) this.#changeProtocol(attempt, head, this.#reader.take());
    else if (length >= 0 && came >= length) {
      const body = length === 0 ? undefined : this.#wholeBody(length);
      this.#reader.take();
      this.#finish(came > length);
      attempt.answered({ status, fields, body });
    } else {
      const rest = this.#reader.take();
      const body = new IncomingBody(this, length, this.#pool.limits);
      this.#body = body;
      if (rest !== undefined) body.feed(rest);
      attempt.answered({ status, fields, body });
    }
  }

  /** A body that came with its head. */
  #wholeBody(length: number): Source {
    const text = this.#reader.takeText();
    if (text !== undefined) return textSource(text.length === length ? text : text.slice(0, length));
    return bytesSource(this.#reader.take()?.subarray(0, length) ?? Buffer.alloc(0));
  }

  #changeProtocol(attempt: Attempt, { status, fields }: ParsedResponse, rest: Buffer | undefined): void {
    const body = new IncomingBody(this, UNFRAMED, this.#pool.limits);
    this.#state = "tunnel";
    this.#body = body;
    if (this.#socket !== undefined) this.#socket.allowHalfOpen = true;
    if (rest !== undefined) body.feed(rest);
    attempt.answered({ status, fields, body });
  }

  /** The answer is whole. The connection serves again if nothing is left over in either direction. */
  #finish(hasSurplus: boolean): void {
    const attempt = this.#attempt;
    if (attempt !== undefined) attempt.holder = undefined;
    this.#attempt = undefined;
    this.#body = undefined;
    const { maxRequestsPerConnection } = this.#pool.options;
    if (this.#isSent && this.#keepsAlive && !hasSurplus && this.#requests < maxRequestsPerConnection) {
      this.#message = undefined;
      this.#rest(false);
      return;
    }
    this.#message?.drop();
    this.destroy();
    if (!this.#isSent) attempt?.request.body?.cancel();
  }

  #rest(isNew: boolean): void {
    this.#state = "idle";
    this.deadline = this.#timer.now + this.#pool.options.idleTimeoutMs;
    this.#pool.ready(this, isNew);
  }

  /** Ends the request that is under way, and the connection with it. */
  #fail(error: Error): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#message?.drop();
    this.destroy();
    this.#body?.fail(error);
    attempt?.failed(error);
  }

  messageEnded(): void {
    this.#isSent = true;
    if (this.#state === "tunnel") this.#socket?.end();
  }

  messageFailed(error: Error): void {
    this.#fail(error);
  }

  messageStalled(): void {
    // Backends are waited for by those who set the timeouts of a call.
  }

  bodyOpened(): void {
    const body = this.#attempt?.request.body;
    if (this.#state === "tunnel" && body !== undefined && this.#socket !== undefined) {
      this.#send(this.#socket, "", body, UNFRAMED);
    }
  }

  bodyEnded(rest: Buffer | undefined): void {
    if (this.#state === "busy") this.#finish(rest !== undefined);
  }

  bodyFailed(error: BadMessage): void {
    this.#fail(new UpstreamError("protocol", `the backend's answer is no proper HTTP/1.1: ${error.reason}`, false));
  }

  bodyCancelled(): void {
    this.#fail(new UpstreamError("reset", "nobody wants the rest of the answer", false));
  }

  pauseReading(): void {
    this.#socket?.pause();
  }

  resumeReading(): void {
    this.#socket?.resume();
  }

  expired(): void {
    this.destroy();
  }

  readonly #onDrain = (): void => {
    this.#message?.drained();
  };

  readonly #onEnd = (): void => {
    if (this.#body !== undefined) this.#body.connectionEnded(this.#gone(), true);
    else if (this.#state === "idle") this.destroy();
  };

  readonly #onError = (error: Error): void => {
    this.#error ??= error;
  };

  readonly #onClose = (): void => {
    const state = this.#state;
    this.#state = "closed";
    this.#connectTimer?.();
    if (state === "connecting") {
      this.#pool.unreachable(this.#unreachable());
      return;
    }
    this.#timer.remove(this);
    this.#pool.closed(this, state === "busy" || state === "tunnel");
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#message?.drop();
    this.#body?.connectionEnded(this.#gone(), false);
    attempt?.failed(this.#gone());
  };

  #unreachable(): UpstreamError {
    if (this.#error instanceof UpstreamError) return this.#error;
    const code = codeOf(this.#error);
    return this.#isReached
      ? new UpstreamError("tls", `the backend and the gateway do not agree on TLS: ${code}`, true)
      : new UpstreamError("connect", `the backend cannot be connected to: ${code}`, true);
  }

  /** Why the connection is gone. Once bytes of a request were written nobody knows what was done with them. */
  #gone(): UpstreamError {
    const isStale = this.#requests > 1 && !this.#isAnswered && this.#interim === 0 && this.#reader.size === 0;
    const when = this.#isAnswered
      ? "within its answer"
      : isStale
        ? "that was kept, before it answered"
        : "before it answered";
    const message = `the backend closed the connection ${when}: ${codeOf(this.#error)}`;
    return new UpstreamError("reset", message, false, isStale);
  }
}

function codeOf(error: Error | undefined): string {
  return error !== undefined && "code" in error && typeof error.code === "string" ? error.code : "closed";
}
