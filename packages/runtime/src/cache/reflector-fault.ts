import { StatusError } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";

/**
 * What a failed list or watch means for a reflector.
 *
 * - `gone`: the version is too old for the server: list anew.
 * - `ahead`: the version is newer than anything the server has: list the newest.
 * - `unsupported`: the server does not understand the request.
 * - `missing`: the server does not serve the kind.
 * - `unavailable`: the server did not do it (overloaded, not reachable, not allowed): wait and go on from the same version.
 * - `cut`: it broke off: go on from the same version.
 * - `broken`: what came makes no sense: list anew.
 */
export interface ReflectorFault {
  readonly kind: "gone" | "ahead" | "unsupported" | "missing" | "unavailable" | "cut" | "broken";
  readonly message: string;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number;
}

/** Reads an error of a client. */
export function faultOf(error: unknown): ReflectorFault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StatusError) {
    const retryAfterMs = (error.details?.retryAfterSeconds ?? 0) * 1000;
    return { kind: kindOfStatus(error), message, retryAfterMs };
  }
  const kind = error instanceof TransportError ? kindOfTransport(error) : "broken";
  return { kind, message, retryAfterMs: 0 };
}

function kindOfStatus(error: StatusError): ReflectorFault["kind"] {
  if (error.details?.causes?.some((cause) => cause.reason === "ResourceVersionTooLarge") === true) return "ahead";
  if (error.message.includes("Too large resource version")) return "ahead";
  switch (error.code) {
    case 410:
      return "gone";
    case 404:
      return "missing";
    case 400:
    case 405:
    case 406:
    case 415:
    case 422:
      return "unsupported";
    case 401:
    case 403:
    case 429:
    case 503:
      return "unavailable";
    case 408:
    case 502:
    case 504:
      return "cut";
    default:
      return "broken";
  }
}

function kindOfTransport(error: TransportError): ReflectorFault["kind"] {
  switch (error.code) {
    case "refused":
    case "tls":
    case "credentials":
      return "unavailable";
    case "cut":
    case "timeout":
      return "cut";
    case "malformed":
      return "broken";
  }
}
