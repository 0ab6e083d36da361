import { deepFreeze, formatGroupVersion, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";

/**
 * A value of the wire as a frozen object of a kind. Objects in lists and metadata-only ones come without their own apiVersion and
 * kind: they get the resource's.
 */
export function objectOf<T extends ApiObject>(resource: Resource<T>, value: Json): Immutable<T> {
  if (!isObject(value) || !isObject(value["metadata"])) {
    throw new TransportError("malformed", `the answer holds something that is no ${resource.kind}`);
  }
  const complete =
    value["kind"] === resource.kind && value["apiVersion"] !== undefined
      ? value
      : { ...value, apiVersion: formatGroupVersion(resource), kind: resource.kind };
  return deepFreeze(complete) as unknown as Immutable<T>;
}
