import { linkSignals } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { untilAborted } from "./until-aborted.ts";
import { NotLeadingError } from "./write-gate.ts";
import type { WriteGate } from "./write-gate.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A transport through which no write leaves unless the gate is open at that very moment, and on which none is awaited longer than
 * the gate is certain to stay open. Both end with a {@link NotLeadingError}; in the second case the write may have been done.
 * Reads pass. Put it innermost, below retries, so that every try is checked.
 */
export function gated(
  transport: Transport,
  gate: WriteGate,
  clock: Clock,
  refused: (when: "before" | "during") => void = () => {},
): Transport {
  return async (request) => {
    if (READS.has(request.method.toUpperCase())) return transport(request);
    try {
      gate.check();
    } catch (error) {
      refused("before");
      throw error;
    }
    if (gate.validUntil() === Number.POSITIVE_INFINITY) return transport(request);
    return sendWhileOpen(transport, request, gate, clock, refused);
  };
}

async function sendWhileOpen(
  transport: Transport,
  request: TransportRequest,
  gate: WriteGate,
  clock: Clock,
  refused: (when: "during") => void,
): ReturnType<Transport> {
  const closed = new AbortController();
  let cancel = (): void => {};
  /** The lease may be renewed while the write is under way, so its end is looked up anew each time it seems reached. */
  const watch = (): void => {
    const left = gate.validUntil() - clock.monotonic();
    if (left > 0) cancel = clock.timer(left, watch);
    else closed.abort(new NotLeadingError({ sent: true }));
  };
  watch();
  const either = linkSignals(request.signal === undefined ? [closed.signal] : [request.signal, closed.signal]);
  try {
    const { body, ...answer } = await untilAborted(transport({ ...request, signal: either.signal }), closed.signal);
    return { ...answer, body: thenDispose(body, either) };
  } catch (error) {
    either[Symbol.dispose]();
    if (!closed.signal.aborted) throw error;
    refused("during");
    throw closed.signal.reason;
  } finally {
    cancel();
  }
}

/** The answer can be abandoned by its signal for as long as it is read. */
function thenDispose(body: AsyncIterable<Uint8Array>, linked: Disposable): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      const seen = async (reading: Promise<IteratorResult<Uint8Array>>): Promise<IteratorResult<Uint8Array>> => {
        let ended = true;
        try {
          const result = await reading;
          ended = result.done === true;
          return result;
        } finally {
          if (ended) linked[Symbol.dispose]();
        }
      };
      return {
        next: () => seen(chunks.next()),
        return: () => seen(chunks.return?.() ?? Promise.resolve({ done: true, value: undefined })),
      };
    },
  };
}
