import { constants } from "node:http2";
import type { ServerHttp2Stream } from "node:http2";
import { nextTurn } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import type { Client, Exchange, RequestHead, Sent } from "../exchange/exchange.ts";
import type { Source } from "../exchange/body.ts";
import { answerHead } from "./answer-head.ts";
import type { IncomingHead } from "./incoming-head.ts";
import { StreamSink } from "./stream-sink.ts";
import type { StreamWriter } from "./stream-sink.ts";
import { StreamSource } from "./stream-source.ts";
import type { StreamReader } from "./stream-source.ts";
import { watchEnd } from "./whole-end.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

/** What all exchanges of a connection share. */
export interface ConnectionOfExchange {
  readonly clock: Clock;
  readonly client: Client;
  readonly listener: string;
  /** Something was sent to the client. */
  sent(): void;
}

/** A request that came by HTTP/2, and the way to answer it. */
export class ServerExchange implements Exchange, StreamReader, StreamWriter {
  readonly head: RequestHead;
  readonly body: Source | undefined;
  readonly client: Client;
  readonly listener: string;
  readonly #stream: ServerHttp2Stream;
  readonly #connection: ConnectionOfExchange;
  readonly #isWhole: () => boolean;
  readonly #expectsContinue: boolean;
  #sink: StreamSink | undefined;
  #answerBody: Source | undefined;
  #settle: ((sent: Sent) => void) | undefined;
  #gone: (() => void) | undefined;
  #state: "waiting" | "answering" | "failed" | "closed" = "waiting";
  /** Since when bytes of the client's body are waited for; undefined: they are not, at the moment. */
  #wantedSince: number | undefined;
  /** How long they were waited for before that, and how many have come, since it was last judged. */
  #waitedMs = 0;
  #cameBytes = 0;
  /** Since when the client has taken nothing of an answer that waits for it. */
  #fullSince: number | undefined;
  #isUnwanted = false;
  #isResetHere = false;

  /** `hasBody`: the client has not ended its half with the head. */
  constructor(stream: ServerHttp2Stream, incoming: IncomingHead, hasBody: boolean, connection: ConnectionOfExchange) {
    this.#stream = stream;
    this.#connection = connection;
    this.#expectsContinue = incoming.expectsContinue;
    this.head = incoming.head;
    this.client = connection.client;
    this.listener = connection.listener;
    this.#isWhole = hasBody ? watchEnd(stream) : () => true;
    this.body = hasBody ? new StreamSource(stream, incoming.contentLength, this) : undefined;
    stream.on("close", this.#closed);
  }

  send(answer: Answer): Promise<Sent> {
    const { promise, resolve } = Promise.withResolvers<Sent>();
    const stream = this.#stream;
    if (this.#state !== "waiting" || stream.closed || stream.destroyed) {
      answer.body?.cancel();
      resolve({ bytes: 0, failure: "client_gone" });
      return promise;
    }
    this.#settle = resolve;
    this.#state = "answering";
    const head = answerHead(answer, this.head);
    const body = head.hasBody ? answer.body : undefined;
    if (body === undefined) answer.body?.cancel();
    else this.#sink = new StreamSink(stream, this);
    this.#answerBody = body;
    stream.on("finish", this.#finished);
    try {
      stream.respond(head.flat, { endStream: body === undefined, waitForTrailers: head.mayHaveTrailers });
    } catch {
      // A field that HTTP/2 cannot say: a fault of whoever made the answer. The client gets none rather than half of one.
      this.brokeOff();
      return promise;
    }
    if (body !== undefined && this.#sink !== undefined) {
      stream.on("drain", this.#drained);
      body.open(this.#sink);
    }
    return promise;
  }

  onGone(listener: () => void): void {
    if (this.#stream.closed && this.#state === "waiting") listener();
    else this.#gone = listener;
  }

  /**
   * Whether the client has taken nothing of its answer for so long, or has sent less of its body than it has to in the time that it
   * was waited for. Messages of gRPC come when they come.
   */
  isTooSlow({ stalledMs, bytesPerSecond }: { readonly stalledMs: number; readonly bytesPerSecond: number }): boolean {
    if (this.head.upgrade !== undefined) return false;
    const now = this.#connection.clock.monotonic();
    if (this.#fullSince !== undefined && now - this.#fullSince >= stalledMs) return true;
    if (this.#wantedSince === undefined || this.#isWhole()) return false;
    if (this.head.fields.get("content-type")?.startsWith("application/grpc") === true) return false;
    const waitedMs = this.#waitedMs + now - this.#wantedSince;
    if (waitedMs < stalledMs) return false;
    const isSlow = this.#cameBytes < Math.max(1, (bytesPerSecond * waitedMs) / 1000);
    this.#wantedSince = now;
    this.#waitedMs = 0;
    this.#cameBytes = 0;
    return isSlow;
  }

  /** The reset came from here, not from the client nor for what it did. */
  get isResetHere(): boolean {
    return this.#isResetHere;
  }

  /** Ends it: the client gets a reset. */
  reset(code: number = NGHTTP2_CANCEL): void {
    if (this.#stream.closed) return;
    this.#isResetHere = true;
    this.#stream.close(code);
  }

  isWhole(): boolean {
    return this.#isWhole();
  }

  broken(): Error {
    return new Error("the client broke off its body");
  }

  opened(): void {
    this.resumed();
    const stream = this.#stream;
    if (this.#expectsContinue && !stream.headersSent && !stream.closed) stream.additionalHeaders({ ":status": 100 });
  }

  came(bytes: number): void {
    this.#cameBytes += bytes;
  }

  paused(): void {
    if (this.#wantedSince !== undefined) this.#waitedMs += this.#connection.clock.monotonic() - this.#wantedSince;
    this.#wantedSince = undefined;
  }

  resumed(): void {
    this.#wantedSince ??= this.#connection.clock.monotonic();
  }

  wrote(isFull: boolean): void {
    this.#connection.sent();
    if (isFull) this.#fullSince ??= this.#connection.clock.monotonic();
  }

  /** The rest waits for the client, however little it is: nothing more is written that would tell. */
  ended(): void {
    this.#fullSince ??= this.#connection.clock.monotonic();
  }

  unwanted(): void {
    this.#isUnwanted = true;
    this.#wantedSince = undefined;
    if (this.#stream.writableFinished) this.#finished();
  }

  brokeOff(): void {
    this.#state = "failed";
    this.reset(NGHTTP2_INTERNAL_ERROR);
  }

  readonly #drained = (): void => {
    this.#fullSince = undefined;
  };

  readonly #finished = (): void => {
    this.#connection.sent();
    if (!this.#isWhole()) void this.#stop();
    // What nobody reads would keep the stream for ever.
    else if (this.#isUnwanted) this.#stream.resume();
  };

  /** The client has its answer: what it still sends is not wanted. Its answer and trailers leave first. */
  async #stop(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    const stream = this.#stream;
    if (stream.destroyed) return;
    if (!stream.closed) stream.close(NGHTTP2_NO_ERROR);
    stream.resume();
  }

  readonly #closed = (): void => {
    const { rstCode } = this.#stream;
    const isGiven = this.#sink?.ended ?? this.#state === "answering";
    const isSent = isGiven && rstCode === NGHTTP2_NO_ERROR;
    const failure = isSent ? undefined : this.#state === "failed" ? "body_failed" : "client_gone";
    this.#state = "closed";
    const bytes = this.#sink?.bytes ?? 0;
    if (!isSent) this.#answerBody?.cancel();
    this.#settle?.({ bytes, failure });
    if (failure === "client_gone") this.#gone?.();
  };
}
