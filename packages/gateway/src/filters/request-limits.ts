import type { Answer } from "../exchange/answer.ts";
import type { Fields } from "../exchange/fields.ts";
import { limitedSource } from "../exchange/limited-source.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { isGrpcCall } from "../pipeline/is-grpc-call.ts";

/** `spec.requestLimits`. 0 stands for the gateway's own limit, as in the schema. */
export interface RequestLimitsSpec {
  readonly maxBodySize?: number | undefined;
  readonly maxHeaderSize?: number | undefined;
}

const DEFAULT_MAX_BODY = 10 * 1024 * 1024;
/** What a field costs on the wire of HTTP/1.1 beside its name and value. */
const FIELD_OVERHEAD = 4;

/**
 * Refuses requests that are too large: bodies with 413, at once where their length is told and otherwise as soon as they have more;
 * heads with 431. Bodies have a limit even when no field of the route sets one (10 MiB, or what the gateway's settings say; 0: none), except
 * for streams: calls of GRPCRoutes and upgraded connections are limited only when the route says so. The limit of heads is the listener's unless
 * the route sets a smaller one.
 */
export function requestLimitsFilter(
  spec: RequestLimitsSpec | undefined,
  defaultMaxBody: number = DEFAULT_MAX_BODY,
): Filter {
  const set = positive(spec?.maxBodySize);
  const otherwise = positive(defaultMaxBody);
  const maxHeader = positive(spec?.maxHeaderSize);
  const tooLarge = new WeakSet<Call>();
  return {
    name: "requestLimits",
    request(call) {
      if (maxHeader !== undefined && headSize(call) > maxHeader)
        return localAnswer(431, "header_too_large", "the head of the request is too large");
      const { body } = call;
      if (body === undefined || call.head.upgrade !== undefined) return undefined;
      const limit = set ?? (isGrpcCall(call) ? undefined : otherwise);
      if (limit === undefined) return undefined;
      // A body whose length is known keeps to it: the codecs see to that.
      if (body.length === undefined) call.body = limitedSource(body, limit, () => tooLarge.add(call));
      else if (body.length > limit) return refused();
      return undefined;
    },
    response(call, answer) {
      // Whatever came of a request that broke off here, the reason is its size; unless it was answered before.
      if (answer.origin === undefined || answer.status === 413 || !tooLarge.has(call)) return answer;
      answer.body?.cancel();
      return refused(answer.fields);
    },
  };
}

/** Keeps what other filters have set for browsers. */
function refused(fields?: Fields): Answer {
  return localAnswer(413, "body_too_large", "the body of the request is too large", fields);
}

function positive(value: number | undefined): number | undefined {
  return value === undefined || value <= 0 ? undefined : value;
}

/** The head as HTTP/1.1 would write it, whichever protocol it came by. */
function headSize({ head }: Call): number {
  let size = head.method.length + head.target.length + head.authority.length;
  const { flat } = head.fields;
  for (const text of flat) size += text.length;
  return size + (flat.length / 2) * FIELD_OVERHEAD;
}
