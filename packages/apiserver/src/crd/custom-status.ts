import { deepClone, setOwn } from "@gatewright/kube";
import type { KubeObject, ObjectMeta } from "@gatewright/kube";
import type { ObjectSubresource } from "../resources/resource.ts";
import type { CustomVersion } from "./custom-version.ts";
import { scaleStatusErrors } from "./scale-paths.ts";

/** Puts the old object's content in place, but for the new status and the record of who wrote it. */
function keepAllButStatus(object: KubeObject, old: KubeObject): void {
  const status = object["status"];
  const { managedFields, resourceVersion } = object.metadata;
  for (const field of Object.keys(object)) delete object[field];
  for (const field of Object.keys(old)) setOwn(object, field, deepClone(old[field]!));
  const metadata: ObjectMeta = { ...object.metadata };
  if (managedFields === undefined) delete metadata.managedFields;
  else metadata.managedFields = managedFields;
  if (resourceVersion !== undefined) metadata.resourceVersion = resourceVersion;
  object.metadata = metadata;
  if (status === undefined) delete object["status"];
  else object["status"] = status;
}

/** The `status` subresource of a custom resource. */
export function statusSubresource({ schema, declared }: CustomVersion): ObjectSubresource {
  return {
    type: "object",
    prepareForUpdate: keepAllButStatus,
    validateUpdate: (object, old, context) =>
      schema.validateStatusUpdate(object, old, (text) => context.warn(text), scaleStatusErrors(object, declared.scale)),
    resetFields: [["metadata"], ["spec"]],
  };
}
