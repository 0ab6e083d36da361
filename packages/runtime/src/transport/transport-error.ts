/**
 * Why no (whole) answer came. Only for `refused` it is certain that the server never saw the request; after any other, a write may
 * have been done.
 */
export type TransportErrorCode = "refused" | "cut" | "timeout" | "tls" | "credentials" | "malformed";

/** A request that got no usable answer. Says nothing about the object: never read it as "not found". */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "TransportError";
    this.code = code;
  }
}
