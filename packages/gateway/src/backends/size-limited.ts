import type { Answer } from "../exchange/answer.ts";
import type { Sink, Source } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";

/** The field `requestLimits` of backends. 0: no limit of the backend's own. */
export interface RequestLimitsSpec {
  readonly maxBodySize?: number;
  readonly maxHeaderSize?: number;
}

/** Connections of a backend that takes requests up to some size. Larger ones are answered here: 413, or 431 for their head. */
export function sizeLimited(upstream: Upstream, { maxBodySize = 0, maxHeaderSize = 0 }: RequestLimitsSpec): Upstream {
  return {
    send(request) {
      if (maxHeaderSize > 0 && sizeOf(request.fields) > maxHeaderSize) {
        return refused(request, localAnswer(431, "header_too_large", "the headers are too large for the backend"));
      }
      if (maxBodySize === 0 || request.body === undefined) return upstream.send(request);
      return request.body.length !== undefined && request.body.length > maxBodySize
        ? refused(request, tooLarge())
        : counted(upstream, request, request.body, maxBodySize);
    },
    get active() {
      return upstream.active;
    },
    get connections() {
      return upstream.connections;
    },
    close: () => upstream.close(),
  };
}

const tooLarge = (): Answer => localAnswer(413, "body_too_large", "the body is too large for the backend");

function refused({ body }: UpstreamRequest, answer: Answer): UpstreamExchange {
  body?.cancel();
  return { answer: Promise.resolve(answer), cancel() {} };
}

/** Sends, and breaks off when the body turns out to be too large: then the answer is ours, unless the backend's was faster. */
function counted(upstream: Upstream, request: UpstreamRequest, body: Source, limit: number): UpstreamExchange {
  const counting = new CountedBody(body, limit);
  const exchange = upstream.send({ ...request, body: counting });
  counting.whenTooLarge(() => exchange.cancel(new Error("the body is too large for the backend")));
  return {
    answer: exchange.answer.catch((error: unknown) => {
      if (counting.isTooLarge) return tooLarge();
      throw error;
    }),
    cancel: (error) => exchange.cancel(error),
  };
}

/** A body of which no more than so much flows. */
class CountedBody implements Source {
  readonly length: number | undefined;
  readonly #body: Source;
  readonly #limit: number;
  #size = 0;
  #tell: (() => void) | undefined;

  constructor(body: Source, limit: number) {
    this.length = body.length;
    this.#body = body;
    this.#limit = limit;
  }

  get isTooLarge(): boolean {
    return this.#size > this.#limit;
  }

  /** Tells when it is, at once if it already is: a body may flow while it is being sent. */
  whenTooLarge(tell: () => void): void {
    if (this.isTooLarge) tell();
    else this.#tell = tell;
  }

  open(sink: Sink): void {
    this.#body.open({
      write: (chunk) => {
        if (this.isTooLarge) return false;
        this.#size += chunk.length;
        if (!this.isTooLarge) return sink.write(chunk);
        this.#body.cancel();
        this.#tell?.();
        return false;
      },
      end: (trailers) => {
        if (!this.isTooLarge) sink.end(trailers);
      },
      abort: (error) => sink.abort(error),
      onDrain: (listener) => sink.onDrain(listener),
    });
  }

  cancel(): void {
    this.#body.cancel();
  }
}

/** As limits count it: names, values, and four bytes around each. */
function sizeOf({ flat }: Fields): number {
  let size = 0;
  for (const text of flat) size += text.length + 2;
  return size;
}
