import { constants } from "node:http2";
import type { ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import type { Answer } from "../exchange/answer.ts";
import { Fields } from "../exchange/fields.ts";
import { isConnectionField, isFieldName, isFieldValue } from "../exchange/field-rules.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";
import { StreamSink } from "./stream-sink.ts";
import type { StreamWriter } from "./stream-sink.ts";
import { StreamSource } from "./stream-source.ts";
import type { StreamReader } from "./stream-source.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import { watchEnd } from "./whole-end.ts";

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR, NGHTTP2_PROTOCOL_ERROR } = constants;

/** A request on its way to a backend by HTTP/2. */
export class OngoingRequest implements UpstreamExchange, StreamReader, StreamWriter {
  readonly answer: Promise<Answer>;
  readonly #request: UpstreamRequest;
  readonly #connection: UpstreamConnection;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #over: () => void;
  #stream: ClientHttp2Stream | undefined;
  #sink: StreamSink | undefined;
  #isWhole: () => boolean = () => false;
  #isAnswered = false;
  /** Why it was ended from here. */
  #ended: Error | undefined;

  /** `over` is told once, when its stream is closed. */
  constructor(request: UpstreamRequest, connection: UpstreamConnection, over: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#connection = connection;
    this.#over = over;
  }

  start(): void {
    const { body } = this.#request;
    const isGrpc = this.#request.fields.get("content-type")?.startsWith("application/grpc") ?? false;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#connection.request(requestHead(this.#request), {
        endStream: body === undefined,
        // gRPC's requests have no trailers, and their last message should not wait for any.
        waitForTrailers: body !== undefined && body.length === undefined && !isGrpc,
      });
    } catch (error) {
      body?.cancel();
      this.#reject(new UpstreamError("protocol", `HTTP/2 cannot say this: ${(error as Error).message}`, true));
      this.#over();
      return;
    }
    this.#stream = stream;
    this.#isWhole = watchEnd(stream);
    stream.on("error", ignoreFault);
    stream.on("response", this.#response);
    stream.on("close", this.#closed);
    if (body === undefined) return;
    this.#sink = new StreamSink(stream, this);
    stream.on("end", this.#answeredWhole);
    body.open(this.#sink);
  }

  cancel(error: Error): void {
    this.#end(error, NGHTTP2_CANCEL);
  }

  isWhole(): boolean {
    return this.#isWhole();
  }

  broken(): Error {
    if (this.#ended !== undefined) return this.#ended;
    return this.#stream === undefined ? new Error("not begun") : this.#connection.failureOf(this.#stream);
  }

  opened(): void {}

  came(): void {}

  paused(): void {}

  resumed(): void {}

  wrote(): void {}

  ended(): void {}

  unwanted(): void {
    // What has come already would keep a closed stream for ever.
    if (this.#stream?.closed === true) this.#stream.destroy();
    else this.#stream?.close(NGHTTP2_CANCEL);
  }

  brokeOff(): void {
    this.#end(new UpstreamError("reset", "the body of the request broke off", false), NGHTTP2_CANCEL);
  }

  #end(error: Error, code: number): void {
    const stream = this.#stream;
    if (stream === undefined || stream.destroyed || this.#ended !== undefined) return;
    this.#ended = error;
    this.#reject(error);
    if (stream.closed) stream.destroy();
    else stream.close(code);
  }

  readonly #response = (_headers: IncomingHttpHeaders, flags: number, raw: readonly string[]): void => {
    const stream = this.#stream;
    if (stream === undefined || this.#ended !== undefined) return;
    const head = answerOf(raw, this.#request.method);
    if (head === undefined) {
      this.#end(new UpstreamError("protocol", "the backend's answer is malformed", false), NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    const hasBody = (flags & NGHTTP2_FLAG_END_STREAM) === 0;
    const body = hasBody ? new StreamSource(stream, head.length, this) : undefined;
    this.#isAnswered = true;
    this.#resolve({ status: head.status, fields: head.fields, body });
    // Without a reader, the end would never be noticed.
    if (body === undefined) stream.resume();
  };

  /** The backend has said everything: what is left of the request would wait for somebody who may never read it. */
  readonly #answeredWhole = (): void => {
    if (this.#sink?.ended !== false || this.#ended !== undefined || !this.#isWhole()) return;
    this.#request.body?.cancel();
    this.#stream?.close(NGHTTP2_NO_ERROR);
  };

  readonly #closed = (): void => {
    if (this.#sink?.ended === false) this.#request.body?.cancel();
    if (!this.#isAnswered) this.#reject(this.broken());
    this.#connection.ended();
    this.#over();
  };
}

interface AnswerStart {
  readonly status: number;
  readonly fields: Fields;
  readonly length: number | undefined;
}

function answerOf(raw: readonly string[], method: string): AnswerStart | undefined {
  const flat: string[] = [];
  let status = 0;
  let length: string | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    if (name === ":status") status = Number(value);
    else if (name === "content-length") {
      if (length !== undefined || !/^[0-9]{1,15}$/u.test(value)) return undefined;
      length = value;
    } else if (!isFieldName(name) || !isFieldValue(value)) return undefined;
    else if (!isConnectionField(name) && name !== "te" && name !== "trailer") flat.push(name, value);
  }
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  const fields = new Fields(flat);
  if (length !== undefined && (method === "HEAD" || status === 304)) fields.add("content-length", length);
  return { status, fields, length: length === undefined ? undefined : Number(length) };
}

function requestHead(request: UpstreamRequest): string[] {
  const { method, scheme, authority, target, fields, body } = request;
  const head = [":method", method, ":scheme", scheme, ":authority", authority, ":path", target];
  const { flat } = fields;
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = flat[at] ?? "";
    if (isConnectionField(name) || name === "host" || name === "content-length" || name === "expect") continue;
    if (name === "te" && flat[at + 1] !== "trailers") continue;
    head.push(name, flat[at + 1] ?? "");
  }
  if (body?.length !== undefined) head.push("content-length", String(body.length));
  return head;
}

/** Faults of a stream show in how it closes; without a listener Node would end the process. */
function ignoreFault(): void {}
