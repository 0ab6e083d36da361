import type { Json } from "@gatewright/kube";

/** A question to a service that a route names: an issuer's keys, a policy's decision. */
export interface JsonRequest {
  /** `http:` or `https:`. */
  readonly url: string;
  /** Sent by POST, as JSON unless `headers` have a content-type; without it, it is a GET. */
  readonly body?: string;
  /** Further fields of the request. May hold secrets: they appear in no error. */
  readonly headers?: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

/** What the service said, whatever the status. */
export interface JsonReply {
  readonly status: number;
  /** Undefined: it is no JSON. */
  readonly body: Json | undefined;
  /** For how many seconds it may be kept, when it says so. */
  readonly maxAgeSeconds: number | undefined;
}

/** Asks a service. Redirects are not followed. Rejects with {@link OutboundError}, or with the signal's reason. */
export type FetchJson = (request: JsonRequest, signal: AbortSignal) => Promise<JsonReply>;

/** There is no reply. The message names neither the address nor anything that was sent. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: "refused_address" | "unreachable" | "timeout" | "too_large" | "bad_url";
  /** Whether asking again later can help. */
  readonly retryable: boolean;

  constructor(code: OutboundError["code"], message: string) {
    super(message);
    this.code = code;
    this.retryable = code === "unreachable" || code === "timeout";
  }
}
