import type { WireRequest, WireResponse } from "@gatewright/aws-wire";

/**
 * Carries one signed request to where a service is and brings its answer back, whatever its status. Rejects with {@link NotSentError}
 * when the service certainly never saw the request; after any other rejection the call may have been made.
 */
export type Send = (endpoint: URL, request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

/** A request that never left: no name, no route, nobody who listens. */
export class NotSentError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "NotSentError";
  }
}
