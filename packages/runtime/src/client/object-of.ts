import { deepFreeze, formatGroupVersion, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";

/**
 * A value of the wire as a frozen object of a kind. Objects in lists come without their own apiVersion and kind, and metadata-only
 * ones with those of the representation: they get the resource's. An object of another kind keeps its own.
 */
export function objectOf<T extends ApiObject>(resource: Resource<T>, value: Json): Immutable<T> {
  if (!isObject(value) || !isObject(value["metadata"])) {
    throw new TransportError("malformed", `the answer holds something that is no ${resource.kind}`);
  }
  const { kind, apiVersion } = value;
  const complete =
    kind === undefined || apiVersion === undefined || kind === "PartialObjectMetadata"
      ? { ...value, apiVersion: formatGroupVersion(resource), kind: resource.kind }
      : value;
  return deepFreeze(complete) as unknown as Immutable<T>;
}
