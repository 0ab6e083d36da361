import { connect, constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import type { CancelTimer, Clock } from "@gatewright/ports";
import { UpstreamError } from "../upstream/upstream.ts";
import { dial } from "./dial.ts";
import type { Dialled, Http2Endpoint } from "./dial.ts";
import type { Http2UpstreamLimits } from "./upstream-limits.ts";

const { NGHTTP2_CANCEL, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_PROTOCOL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** How often a connection is looked at, at most. */
const LEAST_WATCH_MS = 50;

/** One connection to a backend: its state, its health, and what its end means for the requests on it. */
export class UpstreamConnection {
  readonly #clock: Clock;
  readonly #limits: Http2UpstreamLimits;
  readonly #session: ClientHttp2Session;
  readonly #dialled: Dialled;
  readonly #gone: (connection: UpstreamConnection) => void;
  #state: "connecting" | "open" | "leaving" | "gone" = "connecting";
  #failure: UpstreamError | undefined;
  /** The last request that the backend has seen, once it has said so. */
  #lastSeen = Infinity;
  #cancelTimer: CancelTimer;
  #isAsked = false;
  #nextPing = 0;
  #idleSince: number;
  active = 0;

  private constructor(
    dialled: Dialled,
    session: ClientHttp2Session,
    clock: Clock,
    limits: Http2UpstreamLimits,
    gone: (connection: UpstreamConnection) => void,
  ) {
    this.#dialled = dialled;
    this.#session = session;
    this.#clock = clock;
    this.#limits = limits;
    this.#gone = gone;
    this.#idleSince = clock.monotonic();
    this.#cancelTimer = clock.timer(limits.connectMs, () =>
      this.#fail(new UpstreamError("connect", "the backend did not accept the connection in time", true)),
    );
    dialled.socket.on("error", this.#failed);
    session.on("error", this.#failed);
    session.on("close", this.#closed);
    session.on("connect", this.#connected);
    session.on("goaway", this.#told);
  }

  /** Begins to connect; requests may be made at once. `gone` is told when the connection is closed. May throw. */
  static open(
    endpoint: Http2Endpoint,
    clock: Clock,
    limits: Http2UpstreamLimits,
    gone: (connection: UpstreamConnection) => void,
  ): UpstreamConnection {
    const dialled = dial(endpoint);
    const session = connect("http://backend.invalid", {
      createConnection: () => dialled.socket,
      maxHeaderListPairs: limits.fields,
      maxSessionMemory: 64,
      maxOutstandingPings: 4,
      settings: { enablePush: false, maxHeaderListSize: limits.headBytes, initialWindowSize: limits.streamWindow },
    });
    return new UpstreamConnection(dialled, session, clock, limits, gone);
  }

  /** Takes one more request. */
  get hasRoom(): boolean {
    if (this.#state !== "connecting" && this.#state !== "open") return false;
    const allowed = this.#state === "open" ? this.#session.remoteSettings.maxConcurrentStreams : undefined;
    return this.active < Math.min(this.#limits.streamsPerConnection, allowed ?? Infinity);
  }

  get isLeaving(): boolean {
    return this.#state === "leaving" || this.#state === "gone";
  }

  /** Begins a request: `ended` has to be called when its stream is closed. Throws when HTTP/2 cannot say it. */
  request(
    head: string[],
    options: { readonly endStream: boolean; readonly waitForTrailers: boolean },
  ): ClientHttp2Stream {
    const stream = this.#session.request(head, options);
    this.active++;
    return stream;
  }

  ended(): void {
    this.active--;
    this.#idleSince = this.#clock.monotonic();
    if (this.#state === "leaving" && this.active === 0) this.#session.close();
  }

  /** Takes no more requests, and closes when those under way are done. */
  leave(): void {
    if (this.isLeaving) return;
    this.#state = "leaving";
    if (this.active === 0) this.#session.close();
  }

  /** What the end of a request's stream means. */
  failureOf(stream: ClientHttp2Stream): UpstreamError {
    if (this.#failure !== undefined && (stream.id === undefined || !this.#failure.unseen)) {
      return stream.id === undefined ? unseen(this.#failure) : this.#failure;
    }
    if (stream.id === undefined) return new UpstreamError("reset", "the connection ended before the request", true);
    switch (stream.rstCode) {
      case NGHTTP2_REFUSED_STREAM:
        return new UpstreamError("refused_stream", "the backend refused the request", true);
      case NGHTTP2_HTTP_1_1_REQUIRED:
        return new UpstreamError("protocol", "the backend wants HTTP/1.1 for this request", true);
      case NGHTTP2_PROTOCOL_ERROR:
        return new UpstreamError("protocol", "the backend and the gateway do not agree on HTTP/2", false);
      default:
        return stream.id > this.#lastSeen
          ? new UpstreamError("refused_stream", "the backend left before it saw the request", true)
          : new UpstreamError("reset", "the backend reset the request", false);
    }
  }

  readonly #connected = (): void => {
    if (this.#state === "gone") return;
    if (this.#state === "connecting") this.#state = "open";
    this.#session.setLocalWindowSize(this.#limits.connectionWindow);
    this.#cancelTimer();
    this.#watch();
  };

  #watch(): void {
    const { idleMs, pingMs } = this.#limits;
    this.#cancelTimer = this.#clock.timer(Math.max(LEAST_WATCH_MS, Math.min(idleMs, pingMs)), () => {
      if (this.#state === "gone") return;
      const now = this.#clock.monotonic();
      if (this.active === 0 && now - this.#idleSince >= idleMs) {
        this.leave();
        return;
      }
      this.#watch();
      if (this.active === 0 || now < this.#nextPing) return;
      this.#nextPing = now + pingMs;
      this.#ping();
    });
  }

  #ping(): void {
    if (this.#isAsked) {
      this.#fail(new UpstreamError("timeout", "the backend's connection is dead", false));
      return;
    }
    this.#isAsked = true;
    this.#session.ping(() => {
      this.#isAsked = false;
    });
  }

  readonly #told = (_code: number, lastStream: number): void => {
    this.#lastSeen = lastStream;
    this.leave();
  };

  readonly #failed = (error: Error): void => {
    if (this.#failure !== undefined) return;
    this.#failure =
      this.#state === "connecting"
        ? this.#dialled.failure(error)
        : new UpstreamError("reset", `the connection to the backend broke: ${error.message}`, false);
  };

  #fail(failure: UpstreamError): void {
    this.#failure ??= failure;
    this.#cancelTimer();
    this.#session.destroy(failure, NGHTTP2_CANCEL);
    this.#dialled.socket.destroy();
  }

  readonly #closed = (): void => {
    this.#cancelTimer();
    this.#state = "gone";
    this.#gone(this);
  };
}

function unseen(failure: UpstreamError): UpstreamError {
  return failure.unseen ? failure : new UpstreamError(failure.failure, failure.message, true);
}
