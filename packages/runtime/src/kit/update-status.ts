import { getOwn, isObject, StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Applied, CallOptions, Client } from "../client/client.ts";
import { replacedAsConflict } from "./replaced-object.ts";

type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;

export interface UpdateStatusOptions extends CallOptions {
  /**
   * `apply` (the default): the status is what this client wants, fields of other managers stay. `replace`: the whole status, only
   * over the version that was given (409 otherwise), for lists that several controllers share.
   */
  readonly by?: "apply" | "replace";
}

/** Moments that say when something was looked at rather than what was found. */
const TIMES: ReadonlySet<string> = new Set([
  "lastTransitionTime",
  "lastUpdateTime",
  "lastProbeTime",
  "lastHeartbeatTime",
]);

/** Objects, as a cache gave them, whose status was written without an answer: it may be another by now. */
const unsure = new WeakSet<object>();

/**
 * Writes a status, unless it differs from the one that is there in nothing but times: a write of times alone would wake every
 * watcher, this controller too, for no news. After a write without an answer it is written in any case, until one is answered or
 * another version of the object is seen. Returns the object as it is afterwards. Never writes to another object that has got the name meanwhile (409).
 */
export async function updateStatus<T extends ApiObject & { status?: unknown }>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  status: Immutable<StatusOf<T>>,
  { by = "apply", signal }: UpdateStatusOptions = {},
): Promise<Immutable<T>> {
  if (sameButForTimes(object.status, status) && !unsure.has(object)) return object;
  const { namespace, name = "", uid } = object.metadata;
  const ref: ObjectRef = namespace === undefined ? { name } : { namespace, name };
  const options = signal === undefined ? {} : { signal };
  const calls = client.for(resource).status;
  // The shape of Applied<T> cannot be shown to the compiler for a T that is not known yet.
  const desired = { metadata: { ...ref, ...(uid !== undefined && { uid }) }, status } as unknown as Applied<T>;
  try {
    const written = await (by === "replace"
      ? calls.update({ ...object, status }, options)
      : calls.apply(desired, options));
    // The server had it so already, in the very version that is known here.
    if (written.metadata.resourceVersion === object.metadata.resourceVersion) unsure.delete(object);
    return written;
  } catch (error) {
    if (!isRefusal(error)) unsure.add(object);
    throw by === "replace" ? error : replacedAsConflict(error, resource, ref);
  }
}

/** Whether nothing can have come of a write. */
function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && error.code < 500;
}

/** Whether two values are the same as JSON, times left aside. A key whose value is undefined counts as missing. */
export function sameButForTimes(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameButForTimes(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const [left, right] = [getOwn(a, key), getOwn(b, key)];
    if (TIMES.has(key) && typeof left === typeof right) continue;
    if (!sameButForTimes(left, right)) return false;
  }
  return true;
}
