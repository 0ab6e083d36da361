import { deepFreeze, formatGroupVersion, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";
import { isDryRun, writeParameters } from "./caller.ts";
import type { Call, Caller } from "./caller.ts";
import type { WriteOptions } from "./client.ts";
import { endedBy } from "./deletion.ts";
import { objectOf } from "./object-of.ts";

/** Sends a write and gives what the server made of it. A whole object of the kind is told to the observer. */
export async function writeObject<T>(
  caller: Caller,
  resource: Resource,
  call: Pick<Call, "method" | "path" | "body" | "contentType" | "query">,
  options: WriteOptions,
): Promise<Immutable<T>> {
  const answer = await caller.json({
    ...call,
    query: { ...writeParameters(caller, options), ...call.query },
    signal: options.signal,
  });
  if (!isObject(answer)) throw new TransportError("malformed", `${call.method} ${call.path}: the answer is no object`);
  if (!isOfKind(resource, answer)) return deepFreeze(answer) as unknown as Immutable<T>;
  const object = objectOf(resource, answer);
  if (!isDryRun(caller, options)) tell(caller, resource, object);
  return object as unknown as Immutable<T>;
}

function tell(caller: Caller, resource: Resource, object: Immutable<ApiObject>): void {
  const { name = "", namespace, uid } = object.metadata;
  const ref = namespace === undefined ? { name } : { namespace, name };
  if (endedBy(object)) caller.observer?.removed(resource, ref, uid);
  else caller.observer?.wrote(resource, object);
}

function isOfKind(resource: Resource, answer: Json): boolean {
  return isObject(answer) && answer["kind"] === resource.kind && answer["apiVersion"] === formatGroupVersion(resource);
}
