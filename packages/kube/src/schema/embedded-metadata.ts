import { validateObjectMeta } from "../meta-validation.ts";
import { isPathSegmentName } from "../names.ts";
import type { ObjectMeta } from "../object.ts";
import type { MetadataCheck } from "./embedded-resource.ts";

/** The rules for metadata of embedded resources: those of any object, but a name may be missing and is judged lightly. */
export const embeddedMetadata: MetadataCheck = (metadata, path) => {
  const meta = metadata as ObjectMeta;
  const named: ObjectMeta = (meta.name ?? "") === "" ? { ...meta, name: "fakename" } : meta;
  return validateObjectMeta(named, { namespaced: (meta.namespace ?? "") !== "", nameErrors: isPathSegmentName, path });
};
