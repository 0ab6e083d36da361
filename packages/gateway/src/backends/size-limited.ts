import type { Answer } from "../exchange/answer.ts";
import type { Source } from "../exchange/body.ts";
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
  let size = 0;
  let isTooLarge = false;
  let exchange: UpstreamExchange | undefined;
  const breakOff = (): void => exchange?.cancel(new Error("the body is too large for the backend"));
  const sent = upstream.send({
    ...request,
    body: {
      length: body.length,
      open(sink) {
        body.open({
          write(chunk) {
            size += chunk.length;
            if (size <= limit) return sink.write(chunk);
            if (!isTooLarge) {
              isTooLarge = true;
              body.cancel();
              breakOff();
            }
            return false;
          },
          end: (trailers) => sink.end(trailers),
          abort: (error) => sink.abort(error),
          onDrain: (listener) => sink.onDrain(listener),
        });
      },
      cancel: () => body.cancel(),
    },
  });
  exchange = sent;
  // A body may flow while it is being sent.
  if (isTooLarge) breakOff();
  return {
    answer: sent.answer.catch((error: unknown) => {
      if (isTooLarge) return tooLarge();
      throw error;
    }),
    cancel: (error) => sent.cancel(error),
  };
}

/** As limits count it: names, values, and four bytes around each. */
function sizeOf({ flat }: Fields): number {
  let size = 0;
  for (const text of flat) size += text.length + 2;
  return size;
}
