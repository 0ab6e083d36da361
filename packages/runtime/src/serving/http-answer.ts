import { statusJson } from "@gatewright/kube";
import type { Json, StatusError } from "@gatewright/kube";

/** What the handlers need of a request, whichever server took it. */
export interface HttpQuestion {
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Aborts when the caller goes away, or may no longer be answered. */
  readonly signal: AbortSignal;
}

/** Who asks, as a server has found out. */
export interface Caller {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Where a body that goes on is written. */
export interface StreamSink {
  /** False asks to wait for `onDrain`; what was given is taken all the same. */
  write(chunk: Buffer): boolean;
  end(): void;
  onDrain(listener: () => void): void;
}

/** `start` is called once; what it returns is called when the reader went away. */
export interface StreamBody {
  start(sink: StreamSink): () => void;
}

/** An answer that any server can send; that of the embedded API server has the same shape. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | readonly Buffer[] | StreamBody;
}

export function jsonAnswer(status: number, value: Json): HttpAnswer {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`),
  };
}

/** A refusal as Kubernetes clients know it. */
export function statusAnswer(error: StatusError): HttpAnswer {
  const answer = jsonAnswer(error.code, statusJson(error.toStatus()));
  const retry = error.details?.retryAfterSeconds;
  return retry === undefined ? answer : { ...answer, headers: { ...answer.headers, "retry-after": String(retry) } };
}
