import { isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, JsonObject, ObjectRef, Resource } from "@gatewright/kube";
import { isDryRun } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { DeleteOptions, Selection } from "./client.ts";
import { isHeld, uidOfStatus } from "./deletion.ts";
import { objectOf } from "./object-of.ts";
import { discardBody } from "./read-body.ts";
import { creationPath, objectPath } from "./resource-path.ts";

/** Deletes one object; resolves with it while something still holds it. */
export async function deleteObject<T extends ApiObject>(
  caller: Caller,
  resource: Resource<T>,
  ref: ObjectRef,
  options: DeleteOptions,
): Promise<Immutable<T> | undefined> {
  const answer = await caller.json({
    method: "DELETE",
    path: objectPath(resource, ref),
    body: optionsBody(caller, options),
    signal: options.signal,
  });
  const observer = isDryRun(caller, options) ? undefined : caller.observer;
  if (isStatus(answer)) {
    observer?.removed(resource, ref, uidOfStatus(answer) ?? options.preconditions?.uid);
    return undefined;
  }
  const object = objectOf(resource, answer);
  if (isHeld(object)) {
    observer?.wrote(resource, object);
    return object;
  }
  observer?.removed(resource, ref, object.metadata.uid);
  return undefined;
}

/** Deletes what a selection names, in one namespace when the kind has them: the API has no wider way. */
export async function deleteCollection(
  caller: Caller,
  resource: Resource,
  { namespace, labelSelector, fieldSelector, ...options }: Selection & DeleteOptions,
): Promise<void> {
  const response = await caller.send({
    method: "DELETE",
    path: creationPath(resource, namespace),
    query: { labelSelector, fieldSelector },
    body: optionsBody(caller, options),
    signal: options.signal,
  });
  await discardBody(response);
}

function optionsBody(caller: Caller, options: DeleteOptions): JsonObject {
  const { uid, resourceVersion } = options.preconditions ?? {};
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(options.propagation !== undefined && { propagationPolicy: options.propagation }),
    ...(options.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...((uid !== undefined || resourceVersion !== undefined) && {
      preconditions: { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) },
    }),
    ...(isDryRun(caller, options) && { dryRun: ["All"] }),
  };
}

function isStatus(answer: Json): boolean {
  return isObject(answer) && answer["kind"] === "Status" && answer["apiVersion"] === "v1";
}
