import { aggregateText } from "./aggregate-text.ts";
import { formatFieldError } from "./field-error.ts";
import { quote } from "./quote.ts";
import type { FieldError } from "./field-error.ts";
import { formatGroupKind, formatGroupResource } from "./group-version.ts";
import type { GroupKind, GroupResource } from "./group-version.ts";
import type { Json } from "./json/json.ts";

/** One reason among several for a failure, tied to a field where there is one. */
export type StatusCause = { reason?: string; message?: string; field?: string };

export type StatusDetails = {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
};

/** The body of every answer that is not an object. */
export type Status = {
  kind: "Status";
  apiVersion: "v1";
  metadata: { continue?: string };
  status: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
};

export interface StatusErrorOptions {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** A continue token that starts anew, given with 410 on an expired one. */
  readonly continue?: string;
  readonly cause?: unknown;
}

/**
 * A refusal with the Status body that kube-apiserver gives for it. The only error that a handler answers as it is. It has no stack:
 * to be refused is no fault of the program, and many a request is.
 */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  constructor(options: StatusErrorOptions) {
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(options.message, { cause: options.cause });
    Error.stackTraceLimit = frames;
    this.name = "StatusError";
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.continueToken = options.continue;
  }

  toStatus(): Status {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: "Failure",
      message: this.message,
      ...(this.reason !== undefined && { reason: this.reason }),
      ...(this.details !== undefined && { details: this.details }),
      code: this.code,
    };
  }
}

function details(gr: GroupResource, name: string): StatusDetails {
  return {
    ...(name !== "" && { name }),
    ...(gr.group !== "" && { group: gr.group }),
    ...(gr.resource !== "" && { kind: gr.resource }),
  };
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: "BadRequest", message });
}

export function unauthorized(message = "Unauthorized"): StatusError {
  return new StatusError({ code: 401, reason: "Unauthorized", message });
}

export function forbidden(gr: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError {
  const what = formatGroupResource(gr);
  let message = `forbidden: ${why}`;
  if (what !== "")
    message = name === "" ? `${what} is forbidden: ${why}` : `${what} ${quote(name)} is forbidden: ${why}`;
  return new StatusError({
    code: 403,
    reason: "Forbidden",
    message,
    details: { ...details(gr, name), ...(causes && { causes }) },
  });
}

export function notFound(gr: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(gr)} ${quote(name)} not found`;
  return new StatusError({ code: 404, reason: "NotFound", message, details: details(gr, name) });
}

export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}

export function notAcceptable(message: string): StatusError {
  return new StatusError({ code: 406, reason: "NotAcceptable", message });
}

export function alreadyExists(gr: GroupResource, name: string, prefix = ""): StatusError {
  const message = `${prefix}${formatGroupResource(gr)} ${quote(name)} already exists`;
  return new StatusError({ code: 409, reason: "AlreadyExists", message, details: details(gr, name) });
}

export const MODIFIED = "the object has been modified; please apply your changes to the latest version and try again";

export function conflict(gr: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(gr)} ${quote(name)}: ${why}`;
  return new StatusError({ code: 409, reason: "Conflict", message, details: details(gr, name) });
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken !== undefined && { continue: continueToken }),
  });
}

export function requestEntityTooLarge(why: string): StatusError {
  const message = `Request entity too large: ${why}`;
  return new StatusError({ code: 413, reason: "RequestEntityTooLarge", message });
}

export function unsupportedMediaType(message: string): StatusError {
  return new StatusError({ code: 415, reason: "UnsupportedMediaType", message });
}

/** 422 with one cause for each error. The message names each distinct error once. */
export function invalidObject(gk: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const told = errors.length === 0 ? "" : `: ${aggregateText(errors.map(formatFieldError))}`;
  return new StatusError({
    code: 422,
    reason: "Invalid",
    message: `${formatGroupKind(gk)} ${quote(name)} is invalid${told}`,
    details: {
      ...(name !== "" && { name }),
      ...(gk.group !== "" && { group: gk.group }),
      ...(gk.kind !== "" && { kind: gk.kind }),
      ...(errors.length > 0 && {
        causes: errors.map((e) => ({ reason: e.reason, message: e.body, field: e.field })),
      }),
    },
  });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({ code: 429, reason: "TooManyRequests", message, details: { retryAfterSeconds } });
}

export function internalError(why: string, cause?: unknown): StatusError {
  return new StatusError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
    cause,
  });
}

export function serviceUnavailable(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    code: 503,
    reason: "ServiceUnavailable",
    message,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}

/** The client asks for a revision that the store has not reached. */
export function resourceVersionTooLarge(asked: number, current: number): StatusError {
  return new StatusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

/** A Status as plain JSON. */
export function statusJson(status: Status): Json {
  return status;
}
