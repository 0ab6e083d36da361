import { StatusError } from "@gatewright/kube";
import type { ObjectRef, Resource } from "@gatewright/kube";

/** The server says that an object which the request named is not there. A path that is not served is something else. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && isRefusal(error, 404, "NotFound") && error.details?.name !== undefined;
}

/** The server says that this very object is not there: not its namespace, not another one that the request needed. */
export function isMissing(error: unknown, resource: Resource, ref: ObjectRef): boolean {
  if (!(error instanceof StatusError) || !isNotFound(error)) return false;
  const { name, kind, group = "" } = error.details ?? {};
  return name === ref.name && group === resource.group && (kind === resource.plural || kind === resource.kind);
}

/** Somebody wrote meanwhile, or a precondition does not hold: read again and decide anew. */
export function isConflict(error: unknown): boolean {
  return isRefusal(error, 409, "Conflict");
}

/** An object of that name was there before. */
export function isAlreadyExists(error: unknown): boolean {
  return isRefusal(error, 409, "AlreadyExists");
}

/** The version or page that was asked for is gone from the server's memory: list anew. */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}

/** The object breaks a rule; sending it again cannot help. */
export function isInvalid(error: unknown): boolean {
  return isRefusal(error, 422, "Invalid");
}

/** Access rules do not allow it, or a policy refuses it. */
export function isForbidden(error: unknown): boolean {
  return isRefusal(error, 403, "Forbidden");
}

/** The namespace is being deleted, along with all that is in it: nothing new can be made there, and it is nobody's fault. */
export function isNamespaceEnding(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;
}

/** How long the server asks to wait before the request is sent again; undefined when it does not ask. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const seconds = error.details?.retryAfterSeconds;
  return seconds === undefined ? undefined : seconds * 1000;
}

function isRefusal(error: unknown, code: number, reason: string): boolean {
  return error instanceof StatusError && error.code === code && error.reason === reason;
}
