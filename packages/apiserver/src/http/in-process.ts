import querystring from "node:querystring";
import { nextTurn } from "@gatewright/ports";
import type { UserInfo } from "../auth/user.ts";
import { systemUser } from "../auth/user.ts";
import { isStream } from "./api-request.ts";
import type { ApiHandler, ApiRequest, ApiResponse, StreamBody } from "./api-request.ts";

export interface InProcessRequest {
  readonly method: string;
  /** Path with query, as after the host of a URL. */
  readonly path: string;
  /** A list of values stands for that many headers of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Ends a watch, or abandons a request. */
  readonly signal?: AbortSignal;
}

export interface InProcessResponse {
  readonly status: number;
  readonly headers: ApiResponse["headers"];
  /** Read it once. A watch goes on until it is left or its signal aborts. */
  readonly body: AsyncIterable<Buffer>;
}

export type InProcessTransport = (request: InProcessRequest) => Promise<InProcessResponse>;

/** A request of a caller in the same process, as the server takes it. The server believes that it comes from `user`. */
export function inProcessRequest(request: InProcessRequest, user: UserInfo, signal: AbortSignal): ApiRequest {
  const cut = request.path.indexOf("?");
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    values.set(name.toLowerCase(), typeof value === "string" ? [value] : value);
  }
  return {
    method: request.method,
    path: querystring.unescape(cut < 0 ? request.path : request.path.slice(0, cut)),
    query: new URLSearchParams(cut < 0 ? "" : request.path.slice(cut + 1)),
    search: cut < 0 ? "" : request.path.slice(cut),
    headers: Object.fromEntries([...values].map(([name, all]) => [name, all.join(", ")])),
    headerValues: (name) => values.get(name) ?? [],
    body: typeof request.body === "string" ? Buffer.from(request.body) : (request.body ?? new Uint8Array(0)),
    connection: { secure: true, trustedUser: user },
    signal,
  };
}

export interface InProcessOptions {
  /**
   * What watches tell comes a turn of the event loop later, so that a writer has its answer before its watch tells of the write, as
   * over most networks, and what happened together is told together. Default: false, at once.
   */
  readonly answersFirst?: boolean;
}

/** A client's way to a server in the same process: no socket, no port. Acts as `user`, whom the server believes. */
export function inProcessTransport(
  handle: ApiHandler,
  user: UserInfo = systemUser,
  { answersFirst = false }: InProcessOptions = {},
): InProcessTransport {
  const pause = answersFirst ? nextTurn : undefined;
  return async (request) => {
    const signal = request.signal ?? new AbortController().signal;
    const { status, headers, body } = await handle(inProcessRequest(request, user, signal));
    const chunks = isStream(body) ? streamed(body, signal, pause) : finite(Buffer.isBuffer(body) ? [body] : body);
    return { status, headers, body: chunks };
  };
}

async function* finite(chunks: Buffer | readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks as readonly Buffer[];
}

/** How many frames wait for a reader before the writer is asked to pause. */
const HIGH_WATER = 256;

async function* streamed(
  body: StreamBody,
  signal: AbortSignal,
  pause: (() => Promise<void>) | undefined,
): AsyncGenerator<Buffer> {
  const queue: Buffer[] = [];
  let ended = false;
  let failed = false;
  let drain: (() => void) | undefined;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };
  const stop = body.start({
    write(chunk) {
      queue.push(chunk);
      notify();
      return queue.length < HIGH_WATER;
    },
    end() {
      ended = true;
      notify();
    },
    cut() {
      failed = true;
      notify();
    },
    onDrain(listener) {
      drain = listener;
    },
  });
  const abort = (): void => {
    ended = true;
    notify();
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    while (!signal.aborted) {
      const chunk = queue.shift();
      if (chunk) {
        if (queue.length === HIGH_WATER / 2) drain?.();
        yield chunk;
      } else if (failed) {
        throw new Error("the stream was cut");
      } else if (ended) {
        return;
      } else {
        drain?.();
        if (queue.length === 0 && !ended && !failed) await new Promise<void>((resolve) => (wake = resolve));
        await pause?.();
      }
    }
  } finally {
    signal.removeEventListener("abort", abort);
    stop();
  }
}
