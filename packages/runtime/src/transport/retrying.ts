import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { retryAfterOf } from "./retry-after.ts";
import { TransportError } from "./transport-error.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

export interface RetryOptions {
  /** Requests for one call, the first included. Default: 10. */
  readonly attempts?: number;
  /** The longest wait between two requests. When the server asks for more, its answer is final at once. Default: 30 s. */
  readonly longestMs?: number;
}

const BASE_MS = 1000;
/** Connections that fail are tried a few times only: whoever calls has a backoff of its own. */
const CONNECTION_ATTEMPTS = 3;

/**
 * Repeats requests that were certainly not done. An answer of 429 or 503 is waited out: as long as the server asks, else 1 s, growing
 * and jittered. Reads are also repeated when the connection fails, or when any fault of the server comes with Retry-After; writes only
 * when the connection was refused, or when 429 or 503 comes with Retry-After. The last answer or error is given as it is.
 */
export function retrying(
  transport: Transport,
  options: RetryOptions & { readonly clock: Clock; readonly random: Random },
): Transport {
  const { clock, random, attempts = 10, longestMs = 30_000 } = options;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const result = await once(transport, request);
      const wait = attempt >= attempts ? undefined : waitAfter(request, result, attempt, random);
      if (wait === undefined || wait > longestMs) {
        if ("error" in result) throw result.error;
        return result.response;
      }
      if ("response" in result) await discard(result.response);
      await sleep(clock, wait, request.signal);
    }
  };
}

type Result = { readonly response: TransportResponse } | { readonly error: unknown };

async function once(transport: Transport, request: TransportRequest): Promise<Result> {
  try {
    return { response: await transport(request) };
  } catch (error) {
    return { error };
  }
}

/** How long to wait before the request may be sent again; undefined: never. */
function waitAfter(request: TransportRequest, result: Result, attempt: number, random: Random): number | undefined {
  if (request.signal?.aborted === true) return undefined;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if ("error" in result) {
    const code = result.error instanceof TransportError ? result.error.code : undefined;
    const canHelp = code === "refused" || (isRead && (code === "cut" || code === "timeout"));
    return canHelp && attempt < CONNECTION_ATTEMPTS ? backoff(attempt, random) : undefined;
  }
  const { status } = result.response;
  const asked = retryAfterOf(result.response);
  const isBusy = status === 429 || status === 503;
  if (!isBusy && !(isRead && status >= 500 && asked !== undefined)) return undefined;
  if (asked === undefined) return isRead ? backoff(attempt, random) : undefined;
  return asked * 1000 + jitter(random) * 100;
}

function backoff(attempt: number, random: Random): number {
  return BASE_MS * 2 ** (attempt - 1) * (1 + jitter(random) / 2);
}

/** From 0 to 1. */
function jitter(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_536;
}

async function discard(response: TransportResponse): Promise<void> {
  try {
    for await (const chunk of response.body) void chunk;
  } catch {
    // Its status was all that mattered.
  }
}
