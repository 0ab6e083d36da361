import { isObject, quote, StatusError } from "@gatewright/kube";
import type { Json, JsonObject, StatusDetails } from "@gatewright/kube";
import type { TransportRequest, TransportResponse } from "../transport/transport.ts";
import { retryAfterOf } from "../transport/retry-after.ts";
import { readBody } from "./read-body.ts";

const MAX_TOLD = 160;

/** The error that an answer other than 2xx stands for: the server's own Status, or what can be told of anything else. */
export async function readRefusal(request: TransportRequest, response: TransportResponse): Promise<StatusError> {
  const text = await readBody(response, 4 * 1024 * 1024);
  const body = parsed(text);
  const retryAfterSeconds = retryAfterOf(response);
  if (isObject(body) && body["kind"] === "Status") return statusError(body, response.status, retryAfterSeconds);
  return new StatusError({
    code: response.status,
    message: foreignMessage(request, response, text),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}

/** A Status of the wire as an error. */
export function statusError(status: JsonObject, code: number, retryAfterSeconds?: number): StatusError {
  const { message, reason, details, metadata } = status;
  const told = isObject(details) ? (details as StatusDetails) : undefined;
  const token = isObject(metadata) ? metadata["continue"] : undefined;
  const seconds = told?.retryAfterSeconds ?? retryAfterSeconds;
  const whole = seconds === undefined ? told : { ...told, retryAfterSeconds: seconds };
  return new StatusError({
    code: typeof status["code"] === "number" ? status["code"] : code,
    message: typeof message === "string" && message !== "" ? message : `the server answered ${code} without a message`,
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(whole !== undefined && { details: whole }),
    ...(typeof token === "string" && token !== "" && { continue: token }),
  });
}

/** Without a reason on purpose: a page of a proxy, or a path that is not served, says nothing about an object. */
function foreignMessage(request: TransportRequest, response: TransportResponse, text: string): string {
  const what = `${request.method} ${request.path.split("?")[0]}`;
  if (response.status === 404 && text.trim() === "404 page not found") {
    return `${what}: the server does not serve this path; is the CRD installed, and in this version?`;
  }
  const type = response.headers["content-type"];
  const told = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TOLD);
  const format = typeof type === "string" ? type.split(";")[0] : "no content type";
  return `${what}: HTTP ${response.status} that is no answer of an API server (${format}): ${quote(told)}`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON: told as text.
    return undefined;
  }
}
