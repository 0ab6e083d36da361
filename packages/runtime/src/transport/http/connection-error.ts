import { TransportError } from "../transport-error.ts";
import type { TransportErrorCode } from "../transport-error.ts";

/** How far a request had come when its connection failed. */
export type Stage = "connecting" | "sent" | "answering";

/** A failure of sockets or TLS as the error that callers know. Before the request was sent, the server cannot have seen it. */
export function connectionError(error: unknown, server: string, stage: Stage): TransportError {
  if (error instanceof TransportError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new TransportError(codeOf(error, stage), `${server}: ${explained(error, why)}`, { cause: error });
}

function codeOf(error: unknown, stage: Stage): TransportErrorCode {
  const code = systemCode(error);
  if (isTls(code)) return "tls";
  if (code.startsWith("HPE_")) return "malformed";
  return stage === "connecting" ? "refused" : "cut";
}

const CERTIFICATE_PROBLEM =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|INVALID_|HOSTNAME_MISMATCH|EPROTO$)/;

function isTls(code: string): boolean {
  return CERTIFICATE_PROBLEM.test(code);
}

function explained(error: unknown, why: string): string {
  const code = systemCode(error);
  if (code.startsWith("HPE_")) return `no HTTP answer (${why}); is the port right, and is it https?`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code))
    return `no TLS answer (${why}); is the port right, and is it http?`;
  if (isTls(code)) return `TLS failed: ${why} (${code})`;
  return why === "" || why === "aborted" || why === "socket hang up" ? "the connection was cut" : why;
}

/** Node gathers the failures of several addresses in one error without a message. */
function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return code;
  return error instanceof AggregateError ? systemCode(error.errors[0]) : "";
}
